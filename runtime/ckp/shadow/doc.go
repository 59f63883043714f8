// Package shadow is the leaf that instrumented code calls: the lazy shadow
// stack, and the registry in which each instrumented package leaves what it
// alone can name (its functions, its variables, its closure environments).
//
// # The shadow stack
//
// The InteGrade precompiler (de Camargo, Goldchleger, Kon, Goldman, 2004)
// pushes the address of every local on an auxiliary stack when it comes into
// scope. Here the stack stays empty until a checkpoint is taken. A goroutine is
// in one of three modes:
//
//	running    the program computes; the stack is empty
//	saving     the goroutine unwinds: every activation pushes one typed frame
//	           struct with its live variables and returns to its caller
//	restoring  the goroutine is called again from its root: every activation
//	           takes its frame off the stack and jumps to its resume point
//
// A checkpoint call begins the saving ([Begin]) and returns. The calls up to
// the root each find [Unwinding] true, [Push] their frame and return. The root
// [Take]s the frames, has them written, hands them back with [Restore] and
// calls the program again. Each function finds its frame with [Enter] and jumps
// to the call it was in, which enters the next function down. The innermost
// call is the checkpoint call itself: there [Arrived] finds the stack empty and
// the goroutine is running again. A fresh process does the same, with frames
// rebuilt from an image.
//
// # What it costs
//
// Busy counts the goroutines that are not running. It is the only thing that
// instrumented code looks at while nothing happens: one load and one branch,
// never taken, at function entry and after each call that can reach a
// checkpoint. All else is behind that branch.
//
// # What instrumented code looks like
//
//	func sum(t *node) (result int) {
//		var left int
//		if shadow.Busy.Load() != 0 {
//			if fr := shadow.Enter[sum_frame](); fr != nil {
//				t, left = fr.t, fr.left
//				switch fr.At {
//				case 1:
//					goto resume1
//				}
//			}
//		}
//	resume1:
//		left = sum(t.left)
//		if shadow.Busy.Load() != 0 && shadow.Unwinding() {
//			shadow.Push(&sum_frame{At: 1, t: t})
//			return
//		}
//		...
//
// # A leaf
//
// Packages of the standard library can be instrumented too, so this package
// imports only unsafe, sync/atomic and runtime: whatever imports it must not be
// imported by it. package ckp plugs in above.
package shadow
