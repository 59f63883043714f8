module github.com/ckpgen/ckpgen/bench

go 1.26.0

require github.com/ckpgen/ckpgen v0.0.0

replace github.com/ckpgen/ckpgen => ../
