// Package hugepages has memory of Go's heap in pages of 2 MB where Linux makes these on request,
// which Go's runtime does not make.
//
// Memory is there when it is touched first, page by page. In a virtual machine a page costs about
// 10 µs, so that a gigabyte in pages of 4 KB takes 3 s: longer than what is done to it in a
// capture, a rebuild or an analysis. Elsewhere it is a tenth of that. Both is next to nothing in
// huge pages.
//
// Only memory that is about to be filled is requested, so that a process does not become larger by
// it. Where the system makes no huge pages on request, or makes them anyway, nothing changes.
package hugepages
