// Package quiet keeps a process that continues a checkpoint from printing again what
// the initialisation of its packages has printed in the first process.
//
// The initialisation must run: it is what fills the variables of packages that are not instrumented
// (flags, formats, types known to encoding/gob), which no checkpoint has. Its output was part of
// what the first process printed. So from the initialisation of this package, which instrumented
// packages import and which therefore comes before theirs, until main is entered and the goroutines
// that it has started stand still, standard output and standard error lead nowhere.
//
// A panic in between is still reported, by [debug.SetCrashOutput]. What the
// initialisation writes to other files, and the message of one that ends the process by
// os.Exit, is not told apart: the first is written again, the second is lost; the exit
// status remains.
//
// Only instrumented packages import this one: ckp.Main ends what it has begun (through
// package shadow), and a program that was built plainly would stay mute.
//
// On systems other than Linux, macOS and the BSDs the output appears again.
package quiet
