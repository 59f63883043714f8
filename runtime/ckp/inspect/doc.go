// Package inspect shows what is in a job's directory or in one image: the call
// stack of each process with the user's files and lines and the values of the
// variables, package variables, state of libraries, the heap by type, and the
// history of the job. It needs neither the program's source nor its binary:
// everything is in the images.
//
// [Open] reads, and returns a [Report]; that can be written as text
// ([Report.WriteText]) or marshalled as JSON. Nothing is changed on disk.
//
// Stacks are shown with the innermost call first, as in Go's own traces.
package inspect
