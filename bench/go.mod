module github.com/ckpgen/ckpgen/bench

go 1.26.0

require github.com/ckpgen/ckpgen v0.0.0

require golang.org/x/sys v0.49.0 // indirect

replace github.com/ckpgen/ckpgen => ../
