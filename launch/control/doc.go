// Package control is what passes between a process of a job and its launcher:
// the environment that a process is started with, the exit statuses that mean
// something, and a small protocol on a local socket.
//
// # Life of a connection
//
// The launcher listens on a unix socket in the job's run directory (mode 0700,
// so only the user's own processes reach it) and starts each process with the
// socket's name in CKP_CONTROL. The process dials ([Dial]) and says who it is:
//
//	process                               launcher
//	   hello{version rank epoch pid}   ->
//	   restored{seq millis superstep}  ->            state is rebuilt, it computes
//	   progress{superstep}             ->            at most ten a second
//	                                   <- checkpoint take one when you can, go on
//	   committed{seq bytes ...}        ->            process 0 alone says so
//	                                   <- died{rank status}
//	   suspect{rank by why}            ->
//	   elected{rank epoch}             ->
//	   restart{epoch dead restore}     ->            then it exits with status 76
//	                                   <- stop       checkpoint, then exit with 75
//	   fatal{text}                     ->            then it exits nonzero
//
// The connection is also how each side learns of the other's death. For the
// process, end of file means that the launcher is gone: it must exit at once
// with status 1, because a later launcher resumes the job from its last
// committed checkpoint and two incarnations must not run side by side (the
// store's fencing makes an overlap harmless, not useful). For the launcher an
// end of file means little: the exit status, which it reaps, tells what happened.
//
// Restart with an empty list of the dead is a planned restart (a process that
// wants the whole job to go through a real restore, as torture mode does): it is not
// counted as a failure.
//
// # On the wire
//
// One JSON object a line, with exactly one member, whose name is the kind of
// the message:
//
//	{"hello":{"version":1,"rank":0,"epoch":3,"pid":4711}}
//	{"committed":{"seq":12,"bytes":1048576,"millis":31,"superstep":480}}
//	{"stop":{}}
//
// A line is at most 64 KiB, so neither side can be made to allocate more.
// Fields that are not known are ignored; kinds that are not known are an
// error, since ignoring them would be a guess. Version is that of the protocol:
// the launcher refuses a process that speaks another one.
//
// This package is linked into user programs and imports nothing beyond the
// standard library.
package control
