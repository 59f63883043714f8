// Package bench measures what checkpoints cost, by whole programs side by side: built by go build,
// and built by ckpgen.
//
//	go run ./table1     seqsim with checkpoints at several intervals: Table 1 of the InteGrade paper
//	go run ./overhead   small programs without checkpoints: what the instrumentation itself costs
//	go run ./public     programs of public modules with polls
//	go run ./pages      programs of a page each with polls
//	go run ./modules    the benchmarks that public modules have of themselves, with polls: instructions
//	go run ./builds     how long builds of a large module take
//	go run ./markov     a checkpoint after each vector of a Markov chain, whole and incremental
//
// All print a table in Markdown, which names the machine in general terms. A run of any can
// be made as an experiment with itself (-null): then all columns are the plain build, and what
// they differ by is the error of the measurement.
//
// The rounds of all variants are interleaved, in a new order each, so that what else goes on
// on the machine hits all alike; the medians count.
package bench
