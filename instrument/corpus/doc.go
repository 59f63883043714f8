// Package corpus runs Go's own test programs with checkpoints: the ones in the folder
// test of the Go installation that are compiled, run, and judged by what they print.
// Each is an answer that nobody here has written.
//
// # What a trial does
//
// A program is built by "ckpgen build -auto", and run as it is, and then under CKP_TORTURE=K: at
// each Kth opportunity for a checkpoint the program goes to disk, and a fresh process continues it.
// It must end with status 0 and print what its authors expect each time. If it does not, it is
// built plainly. A program that does not do then what is expected either (it needs another system,
// say) does not count.
//
// K is 1, a checkpoint at every opportunity, if the program gets done with that within
// the limit. Else K grows until it does: a process takes some milliseconds to
// start, so a loop of a million rounds would take hours. The first K with which it gets
// done is followed by one more, larger, since then more of the program runs between two
// checkpoints.
//
// # Verdicts
//
// A program passes if all output was right and at least one checkpoint was restored, or if it
// offers no opportunity: it neither recurses nor has a loop that takes long. Many test programs are
// such. So that they prove something, all are also built with polls on entry of every function and
// in every loop ([Runner.Dense]), and what they print must be right then, too. A program that
// ckpgen refuses to build, or all of whose checkpoints are refused while it runs, is a miss. Wrong
// output, another exit status, a program that hangs or a rewritten program that does not compile is
// an error, and never tolerated.
//
// # Lists
//
// testdata/inapplicable.txt names the programs that can't survive a change of the process by their
// nature (inapplicable_dense.txt further ones, with polls everywhere; unsteady.txt those that can't
// at some moments, which may pass or be wrong), testdata/missed.txt those that are missed for now,
// both with the reason. A program in one of the lists that passes is an error, and so is a miss
// that stands in none.
//
// # The standard library
//
// TestStandard runs the tests of packages of the standard library in the same way, as a module of
// copies ([CopyTests]): each test has to pass or fail as it does in the plain program.
package corpus
