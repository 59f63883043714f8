// Package store keeps the checkpoints of a job in a directory: it writes them
// so that a crash at any moment leaves the old checkpoint or the new one,
// never a mixture; finds the newest that is intact; and keeps processes of a
// job's past from changing its present.
//
// # The directory
//
//	DIR/
//	  job.json                    whose directory it is: program, arguments, whether it has ended
//	  job.lock                    locked by a launcher or a program of one process while it runs
//	  epoch-00000001.claim        incarnation 1 exists (who, when)
//	  epoch-00000001.base         incarnation 1 started from checkpoint 0
//	  epoch-00000002.claim
//	  epoch-00000002.base         incarnation 2 started from checkpoint 7
//	  ckpt-00000007.e00000001/    checkpoint 7, written by incarnation 1
//	    rank-00000.img            the image of process 0
//	    rank-00001.img
//	    rank-00001.file-0         another name of a file that process 1 had open
//	    manifest.json             its presence is the commit
//	  ckpt-00000008.e00000002/    being written: no manifest yet
//	    rank-00000.img
//	    rank-00001.img.tmp
//	  draft-00000003.*.tmp        a base record being written by incarnation 3
//
// Manifests and base records are JSON, made to be read by a person, and end
// in a line with the CRC-32C (Castagnoli) of all bytes before it. The images
// are opaque here; their length and CRC-32C stand in the manifest. As they
// hold whatever the program had in memory, only their owner may read them.
//
// # Commit
//
// A checkpoint comes into being in this order, each step on stable storage
// before the next begins:
//
//  1. every process writes its image to a temporary name, fsyncs it, renames
//     it, and fsyncs the directory ([Store.Begin], [PartWriter.Close]);
//  2. one process, which has been told of all images, writes the manifest to a
//     temporary name and fsyncs it ([Store.Commit]);
//  3. the manifest is renamed to manifest.json and the directories are fsynced.
//
// The one process of a job does not fsync the directory in step 1, but at the end of step 2, so
// that image and manifest share that ([Store.Save]). Of several, on several hosts, each must, since
// not every file system has one's fsync cover what others did.
//
// The rename in step 3 is the commit. Before it the checkpoint does not exist
// for any reader, whatever lies in its directory; after it everything that
// the manifest names is on disk. Deleting goes the other way round: the
// manifest goes first, then the images, so that no committed checkpoint ever
// lacks one.
//
// This relies on a file system that renames atomically, creates exclusively
// (O_EXCL), and whose fsync means it: local Linux, macOS and Windows file
// systems, NFS version 3 and later, Lustre, Ceph.
//
// # Verification and fallback
//
// fsync is a promise of hardware, and disks rot. [Store.Newest] therefore reads every byte of the
// newest checkpoint against its checksums, and when something is wrong goes on to the one before,
// and so on. What was passed over is returned as a list of [Damage], which callers must show
// loudly: the job goes on from an older state than its user believes. The last Keep checkpoints (2
// unless told otherwise) are kept for this. The same goes for an intact checkpoint of which a
// process has found that it can't go on from it ([Checkpoint.PassOver]): a file beside the images
// says so, and why.
//
// # Increments
//
// An image may be an increment to those of the same process in earlier checkpoints of the epoch,
// down to a whole one ([PartWriter.Need], [Checkpoint.Images]). Its manifest names them. A
// checkpoint is intact if they are as well, and they are kept as long as it is, beyond the last
// Keep. All of them are checkpoints by themselves. What is damaged takes all increments to it
// along; so, unless Keep is 1, whichever image of those that the newest checkpoint needs is
// damaged, the newest one that does not need that is kept, too.
//
// # Incarnations and fencing
//
// A job that is restarted is a new incarnation of itself, with a higher epoch.
// Processes of the old one may still be running: a stopped process that is
// continued, a host that was thought lost, a user who started the same
// command twice. Such a zombie must not commit anything that its successor
// would later mistake for its own. There are no locks, as a lock held by a
// host that died is held for ever; instead every incarnation records what it
// started from:
//
//	A manifest of epoch e and sequence number s is valid if and only if
//	s <= base of every epoch e' > e.
//
// An incarnation claims its epoch in two steps ([Store.Claim]):
//
//  1. it creates epoch-N.claim exclusively, N being one more than the highest
//     epoch there is: of several that try, one succeeds. From now on every
//     [Store.Commit] of a lower epoch that begins is refused;
//  2. it then looks for the newest intact checkpoint, and creates
//     epoch-N.base with its number. From now on everything newer of lower
//     epochs is void, also a manifest that a zombie, which had made its checks
//     before step 1, renames into place hours later.
//
// The order gives both sides what they need. Commit looks for higher epochs
// after its rename as well: if there is none, every later claim will see the
// manifest in its step 2, so a Commit that returned nil stands for good, and
// may delete what it supersedes. If there is one, the commit may or may not
// have been seen; the process is told that it is fenced, deletes nothing, and
// must stop. A claimant that died between its steps is resolved by the next
// one, which creates the missing base record on its behalf ("abandoned": it
// voids nothing); should the claimant wake up, its own creation fails and it
// is fenced. Base records are created by hard link, or exclusively where
// there are no hard links, so one is never replaced.
//
// Because the base is the newest *intact* checkpoint, damaged ones after it
// become void with the claim: they don't take the place of a good one among
// those kept.
//
// The unit of time is the sequence number: each attempt at a checkpoint has
// one, higher than all before it in its incarnation and than its base. The
// number of a failed attempt is not used again, as its files may be there.
//
// The records of an epoch that has no checkpoints are deleted some epochs later, if a later base
// voids all that its own voids, so that a job that fails at every start does not fill its
// directory. A checkpoint whose epoch has no records is void, if there is a higher epoch: should a
// zombie, which had made its checks before it was fenced, rename a manifest into place even then,
// that one does not count.
//
// # What a person may do
//
// Checkpoints may be deleted as whole directories, and a job directory may be
// copied or moved while no process uses it. Epoch files must stay. A process whose directory is
// deleted or moved nevertheless does not make it again, says so at each attempt, and goes on when it
// is back. If another job begins in a new one of that name, with the same epochs, the numbers that
// base records are drawn with tell the two apart, and it writes nothing there.
package store
