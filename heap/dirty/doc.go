// Package dirty tells which pages of memory were written since it was last asked.
//
// On Linux from 6.7 on this is done by userfaultfd with asynchronous write protection: the first
// write to a protected page clears the protection, in the kernel and without anybody being woken,
// and the ioctl PAGEMAP_SCAN lists the pages that are not protected any more and protects them
// again, in one step for each page. It needs no privilege (UFFD_USER_MODE_ONLY) and no thread, and
// never leads to a signal or a fault that a program sees; mprotect is not used. A scan of a clean
// gigabyte takes a fraction of a millisecond, the first write to a page about a microsecond.
//
// Where the kernel, a container's rules or the architecture has no such thing, [New] returns an
// error, and whoever wants to know what has changed must compare.
//
// A page that the kernel has taken away meanwhile (madvise) counts as written. Memory that was not
// changed since it was protected is never reported as unchanged wrongly; what is reported as
// written may have been written with what was there.
package dirty
