module example.org/public

go 1.25.0

require (
	github.com/crillab/gophersat v1.4.0
	github.com/d5/tengo/v2 v2.17.0
	github.com/ulikunitz/xz v0.5.17
	gonum.org/v1/gonum v0.17.0
)

require golang.org/x/tools v0.30.0 // indirect
