module example.org/public

go 1.25.0

require (
	github.com/crillab/gophersat v1.4.0
	github.com/d5/tengo/v2 v2.17.0
	github.com/ulikunitz/xz v0.5.17
	github.com/yuin/gopher-lua v1.1.2
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/chzyer/readline v1.5.1 // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/tools v0.30.0 // indirect
)
