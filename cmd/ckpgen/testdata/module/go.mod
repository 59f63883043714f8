module example.org/user

go 1.26.0

tool github.com/ckpgen/ckpgen/cmd/ckpgen

require github.com/ckpgen/ckpgen v0.0.0

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/ckpgen/ckpgen => ../../../..
