module example.org/public

go 1.25.0

require (
	github.com/corentings/chess/v2 v2.3.2
	github.com/crillab/gophersat v1.4.0
	github.com/d5/tengo/v2 v2.17.0
	github.com/ulikunitz/xz v0.5.17
	github.com/yuin/goldmark v1.8.7
	github.com/yuin/gopher-lua v1.1.2
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	gonum.org/v1/gonum v0.17.0
)

require (
	golang.org/x/exp v0.0.0-20250128182459-e0ece0dbea4c // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/tools v0.30.0 // indirect
)
