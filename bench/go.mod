module github.com/ckpgen/ckpgen/bench

go 1.26.0

require (
	github.com/ckpgen/ckpgen v0.0.0
	github.com/fxamacker/cbor/v2 v2.9.0
)

require github.com/x448/float16 v0.8.4 // indirect

replace github.com/ckpgen/ckpgen => ../
