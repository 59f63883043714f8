// Package heap captures everything that can be reached from a set of
// variables, and rebuilds it in another process: in the same places relative to
// each other, shared where it was shared, on any architecture.
//
// # Regions and objects
//
// Go tells the type of what a pointer leads to, but not which allocation it
// leads into. So the walk from the variables collects regions: so many values of
// this type at that address, because a pointer, a slice (with its capacity), a
// string or a variable says so. When nothing new is found, the regions are put
// in order of their addresses and merged: one that lies inside another, at a
// place where that has a value of its type, is part of it; slices of one array
// that overlap are one array. What remains are the objects. They are no larger
// than what the program can reach: a pointer to a field keeps the field, unless
// something also refers to the struct.
//
// An object is saved whole, and allocated whole by its true type, so that the
// garbage collector of the new process knows where its pointers are. The
// variables themselves are objects which are not allocated but filled in; a
// pointer into a variable leads into that variable again.
//
// What is scanned is written into the image at once, with the numbers of regions for references,
// which are replaced when it is known which regions are objects; the bytes of strings are written
// when they are met (draft.go). Objects that wait are looked at some ahead (ahead.go). No garbage
// collection begins during a capture or a rebuild, as it would find nothing (collector.go). The
// bytes of short strings share allocations of 256 bytes after a rebuild.
//
// Nothing leads to the stack of a goroutine: what the frames in an image refer to there has been
// moved to the heap before ([Lift]).
//
// Values behind interfaces are immutable and nothing points into them; they are
// kept apart as boxes, because the runtime lets unrelated ones share memory. The
// contents of maps are copied out as an array of keys and an array of values,
// and put in again when all keys are complete. Channels are copied with their
// buffers; a channel at which a goroutine waits is refused.
//
// An unsafe pointer does not tell what it leads to. It is saved if it leads into an object, or to a
// map or channel, that is saved because of other references, or if the precompiler has found what
// it leads to ([Pointee]), or that it is one of several types, of which only one can be there
// (among.go), or can belong to what holds it (owned.go), and refused if not. That may be told by
// another field, if the two are words of an interface that was taken apart; the reference is the
// one that the interface would have (told.go). It can be the first of several values (several.go).
// A struct that the program takes for the beginning of a larger one ([Options].Heads) is refused if
// its allocation has more than is saved, unless that can be one larger struct only (wholes.go), and
// no other type of the binary that begins so but has other references, and so is a larger one
// ([Options].Wide) that its allocation does not hold. If it is a later field ([Options].Holders),
// the allocation may tell of what. One that is another struct, by its references
// ([Options].Punned), is refused, too. A pointer to a struct of the words of an interface, slice or
// string, such as reflect.SliceHeader, is one to that, and a pointer to an unsafe pointer can be
// one to a pointer, map, channel or func value; so can one to several of them, or to structs of
// nothing but an unsafe pointer.
//
// A pointer to a number may be all that a program keeps of an array ([Options].Firsts): what
// follows the number in its allocation is saved, too, up to something of another type that the
// program can reach. A slice of numbers that is made of memory with references ([Options].Hiding)
// is refused, also if nothing else leads there (hiding.go).
//
// Memory that the program has mapped itself, or C has allocated, is refused: its contents belong to
// a file, or to something that knows its address. What looks like pointers there is not followed. A
// range of addresses that can only be read has no contents. It is bound by its size, and pointers
// into it lead to the same place of the new process's.
//
// Memory that is used as numbers of several types is one object (raw.go).
//
// If the program makes numbers of the addresses of structs, these structs are saved with the
// numbers ([Location]). If it makes pointers of numbers, they lead to the same objects after a
// rebuild ([Address]). Those that are addresses of types are for one binary (typenumbers.go).
//
// The walk follows a plan that is compiled once for each type: a list of the
// places that hold references. It has an explicit list of work; a list of ten
// million nodes needs no stack. What needs no copy by parts is copied at once.
//
// # What has no contents
//
// What belongs to the process is bound by name ([Options]). A func value is the name of its code
// and, if it is a literal that the precompiler rewrote, its environment ([Closure]); a literal that
// captures variables and was not rewritten is refused, one that captures nothing is as good as a
// function. A hash function of the runtime is refused: each process has other keys; one that
// compares values bit by bit is saved with their size (equals.go). The environment of a method
// value of a pointer is that pointer; of another one, the copy of the receiver. Functions that
// package reflect has made are made again (made.go). Types in interfaces are found by name, with
// package path and type arguments, in the list that the linker leaves for package reflect; before
// that is relied on, the capture looks whether it finds the same type. A *runtime.Func is the name
// of the function, and leads to that of the new process; one that the runtime has made for an
// inlined call is refused. A runtime.Frames is saved with all frames that are to come (frames.go).
// An unsafe.Pointer to the description of a type is saved like this, too.
//
// Some types mean more, or less, than their bytes. A time.Time loses the reading of the monotonic
// clock, which no other process can interpret. A sync.Pool is empty afterwards. Locks, wait groups
// and conditions of package sync are saved without those that wait for them. A sync.Map, which
// hashes with a seed of the process, is in the image a struct of one map[any]any. An iterator of
// package reflect over a map is the keys and elements that it would still come to (iterators.go). A
// time.Timer or time.Ticker is in the image what it will do: a struct of its channel or function,
// the nanoseconds that remain, its period, whether it is armed, and whether package time has made
// it. A reflect.Value tells by its type and flags what its pointer is. A unique.Handle is a pointer
// to its value; a rebuild makes the handle of that value in the new process. A weak.Pointer leads
// to an object that is saved because of other references, or to nothing afterwards. All that holds
// for types that are declared as one of these, too, as in type stamp time.Time, but for handles,
// which are refused then. A network connection that is not zero is refused with the path to it,
// unless it is named. So are other things of the process. They are opaque: the image does not
// describe them, so that their innards may differ between systems.
//
// # Open files
//
// An os.File is a struct of a pointer to what package os keeps of an open file; copies of one
// os.File share that. It is in the image what is needed to open the file again: a struct of
//
//	name    string  as the program calls it
//	path    string  to open it by: absolute; empty if it is not opened by name
//	offset  int64
//	size    int64   of a regular file
//	number  uint64  of a regular file that is written: its inode; 0 if the system does not tell
//	mark    uint64  of such a file: a hash of its first 4096 bytes and the last; 0 if they can't be read
//	kind    uint8   1 closed, 2 regular, 3 directory, 4 device, 5 standard stream,
//	                6 another os.File of the number of one, 7 a duplicate of one
//	access  uint8   0 read, 1 write, 2 both
//	stream  uint8   0 standard input, 1 output, 2 error
//	append  bool
//	sync    bool    each write
//	read    bool    a directory, to its end
//
// The path is the name that the file was opened by, if that still leads to it, made absolute; else
// the one that Linux tells. Regular files, directories that were read to their end or not at all,
// and devices without state (such as /dev/null) are opened again, each os.File by itself, with the
// flags that it had and none that create, truncate or exclude. A closed file comes back closed.
// What leads to a standard stream leads to that of the new process. Pipes, sockets, other devices,
// and files that no name leads to are refused. Locks of files are not kept. An os.Root is the same
// with a directory, open or closed, of which it is in the image.
//
// A file that is open for writing is cut back to its size at the checkpoint, so that what is
// written after it is written once. What was overwritten in place is not undone, and another
// program that writes to the same file loses what it wrote since. A file that is shorter than it
// was is an error that names both sizes, whether it is written or read; so is one that is not
// there, as the program may have deleted or renamed it after the checkpoint; and so is one that is
// written if another has its name by now, which number and mark tell, as it was renamed and begun
// anew. Of one that is written the error says that it is lost ([FileError].Lost). There is no such
// error if the caller has another name of the file ([Options].Files), or it was written and is
// still in its directory under another name: then what it had is put back (putback.go).
//
// Nothing is opened when an image is parsed or looked at. A rebuild opens the files and finds all
// that can go wrong with them; it cuts them, and puts copies in their places, when everything else
// has succeeded ([Options].Later). The caller must have made sure by then that no later checkpoint
// will be rebuilt, which might need more of a file. Earlier checkpoints can be: bytes below the
// size that a file had at this one are not touched.
//
// An image is trusted as the program itself is: it says which functions are called with which
// values, and so also which files are opened and cut. Parse makes sure only that the description is
// a sensible one.
//
// # Other machines
//
// An image is the same whichever machine writes it, with four exceptions. The numbers of package
// math/big are slices of words of the machine: a rebuild converts them where words have another
// size (words.go). The structs of system calls have other fields on each architecture; a rebuild
// finds them by name (system.go). Expanded keys of package crypto are for one kind of machine, and
// refused on others (bound.go), and memory that is used as numbers of several types is for machines
// with one order of bytes. An integer that is too large for the machine is an [OverflowError],
// which names the variable.
//
// # The image
//
// All numbers are little-endian. The file is
//
//	magic        8 bytes  "ckpheap\n"
//	version      4        1
//	sections     4        their number
//	directory    4        its size in bytes
//	checksum     4        CRC-32C of the 20 bytes above and the directory
//	directory             one entry a section
//	sections              one after the other
//
// and nothing follows. A directory entry is
//
//	size         8        bytes of the section, without padding
//	checksum     4        CRC-32C of these bytes
//	name         4        its length, at most 255
//	             n        its bytes
//
// Entries and sections are padded with zero bytes to a multiple of eight. First
// come the nine sections of this package in the order below, then those that
// were attached. In the tables, a number is a base-128 varint as in package
// encoding/binary, a text is a number of bytes and the bytes, a flag is a byte 0
// or 1. Each table begins with the number of its entries.
//
//	heap.types     before the number of entries: the size of a word, 4 or 8; then
//	               kind (byte, as in package reflect); 1 if dynamic + 2 if opaque
//	               + 4 if it is math/big.Word and has 32 bits + 8 if package reflect has made it, a func type (byte);
//	               name (text, empty if unnamed); then for a
//	                 func type with 8 variadic (flag); parameters, then results: their number, types
//	                 pointer, slice   element type
//	                 array            length, element type
//	                 chan             direction (as in reflect), element type
//	                 map              key type, element type
//	                 struct           number of fields; for each: name (text),
//	                                  embedded (flag), package path if
//	                                  unexported (text), tag (text), type
//	               A type is its index in this table.
//	heap.names     name (text); variable (flag): the variable itself, not what it
//	               holds; type
//	heap.roots     name (text), type, reference
//	heap.groups    type, elements of an object, objects, 1 if they are boxes or 2
//	               if only strings refer to them; if the elements of an object
//	               are 0, they differ: for each object, its elements
//	heap.interior  16 bytes an entry, no count: base reference, offset
//	heap.maps      type, entries, reference to keys, reference to values
//	heap.chans     element type, capacity, buffered values, closed (flag),
//	               reference to the buffer (the capacity long, oldest first);
//	               if it is the channel of a timer: time.Time, 0, 0, no, and a
//	               reference to the timer
//	heap.funcs     name of the code (text), has environment (flag); if so the
//	               type of the pointer to it, and a reference
//	heap.data      the objects
//
// A group is a run of objects of one type. Objects are numbered from 1
// through the groups. Their bytes lie in heap.data in the same order, each group
// padded to a multiple of eight. Arrays are flat: an object of type T with n
// elements is an array of n values of T, and T is not an array type.
//
// # Values
//
// A value has the layout that Go's compiler gives it on a 64-bit machine: int, uint and uintptr
// take eight bytes, everything is aligned to its size, a struct that ends with a field of size zero
// has one byte more. But references, lengths, capacities and types in interfaces are words of four
// bytes, unless there are so many objects, or such long ones, that the image has words of eight.
// What aligns fields is zero. An opaque value takes eight zero bytes. On a 32-bit machine a number
// that does not fit is an error that names the field. A reference is a tag and a number:
//
//	0                      nil
//	0 << 56 | n            the start of object n
//	1 << 56 | i            entry i of heap.interior: so many bytes into an object
//	                       or named variable
//	2 << 56                something of size zero, an empty slice
//	2 << 56 | k            of a weak pointer: what is gone, the kth
//	3 << 56 | i            entry i of heap.names
//	4 << 56 | t            the descriptor of type t
//	5, 6, 7 << 56 | i      entry i of heap.funcs, heap.maps, heap.chans;
//	                       of heap.funcs also of a *runtime.Func
//
// In a word of four bytes, the tag is shifted by 29 instead of 56.
//
// A string is a reference and a length; a slice is a reference, a length and a
// capacity; an interface is a type plus 1 (or 0) and a reference: to a box, or
// if the type is a single reference, that reference itself. Such a type is a
// pointer, map, channel or function, an array of one that is, or a struct with
// one field that is, after which none and before which only some of size zero
// come. A pointer, map, channel or function is a reference.
//
// # Increments
//
// In a series of captures ([Increments]) an image after the first can be written as what is new in
// it. Such a file has the form of an image, with the magic "ckpincr\n", and these sections:
// heap.increment, heap.pages, and those of the image that are not the same as in the image before,
// without the blocks in heap.data. Blocks are large objects without references; they are the last
// ones in heap.data. heap.increment is
//
//	bytes of heap.data
//	sections of the image: their number; for each its name (text), bytes (of heap.data: without the blocks),
//	and whether it is the same as before (flag)
//	blocks: their number; for each its place in heap.data, bytes, place in heap.data of the image before plus 1 (0: it is
//	new, and each of its pages is there), pages that follow in heap.pages
//
// and heap.pages has for each page the number of those since the last one that are left out, and
// the change in the encoding of package delta. Blocks are in the order of their places. An
// increment means nothing without all files before it, from the last whole image on. Increments
// that follow each other can be merged into one ([MergeIncrements]).
//
// # An example
//
// The variable head of type *ringNode leads to a node which leads to itself:
//
//	type ringNode struct {
//		next *ringNode
//		n    int32
//	}
//
// This is its image. Header and directory:
//
//	0x000  63 6b 70 68 65 61 70 0a                          magic
//	0x008  01 00 00 00                                      version
//	0x00c  09 00 00 00                                      9 sections
//	0x010  20 01 00 00                                      size of the directory
//	0x014  44 27 e9 6b                                      checksum
//	0x018  81 00 00 00 00 00 00 00 be 85 4c 7f 0a 00 00 00  129 bytes, checksum, name of 10
//	0x028  68 65 61 70 2e 74 79 70 65 73 00 00 00 00 00 00  heap.types
//	0x038  01 00 00 00 00 00 00 00 51 53 7d 52 0a 00 00 00  1 bytes, checksum, name of 10
//	0x048  68 65 61 70 2e 6e 61 6d 65 73 00 00 00 00 00 00  heap.names
//	0x058  08 00 00 00 00 00 00 00 e0 ec fd 94 0a 00 00 00  8 bytes, checksum, name of 10
//	0x068  68 65 61 70 2e 72 6f 6f 74 73 00 00 00 00 00 00  heap.roots
//	0x078  09 00 00 00 00 00 00 00 a2 55 e1 ba 0b 00 00 00  9 bytes, checksum, name of 11
//	0x088  68 65 61 70 2e 67 72 6f 75 70 73 00 00 00 00 00  heap.groups
//	0x098  00 00 00 00 00 00 00 00 00 00 00 00 0d 00 00 00  0 bytes, checksum, name of 13
//	0x0a8  68 65 61 70 2e 69 6e 74 65 72 69 6f 72 00 00 00  heap.interior
//	0x0b8  01 00 00 00 00 00 00 00 51 53 7d 52 09 00 00 00  1 bytes, checksum, name of 9
//	0x0c8  68 65 61 70 2e 6d 61 70 73 00 00 00 00 00 00 00  heap.maps
//	0x0d8  01 00 00 00 00 00 00 00 51 53 7d 52 0a 00 00 00  1 bytes, checksum, name of 10
//	0x0e8  68 65 61 70 2e 63 68 61 6e 73 00 00 00 00 00 00  heap.chans
//	0x0f8  01 00 00 00 00 00 00 00 51 53 7d 52 0a 00 00 00  1 bytes, checksum, name of 10
//	0x108  68 65 61 70 2e 66 75 6e 63 73 00 00 00 00 00 00  heap.funcs
//	0x118  10 00 00 00 00 00 00 00 63 b5 fc 28 09 00 00 00  16 bytes, checksum, name of 9
//	0x128  68 65 61 70 2e 64 61 74 61 00 00 00 00 00 00 00  heap.data
//
// The types: *ringNode, ringNode and int32.
//
//	0x138  04                                               words of four bytes
//	0x139  03                                               3 types
//	0x13a  16 00 00 01                                      type 0: a pointer; unnamed; to type 1
//	0x13e  19 00                                            type 1: a struct
//	0x140  26 67 69 74 68 75 62 2e 63 6f 6d 2f 63 6b 70 67  its name
//	0x150  65 6e 2f 63 6b 70 67 65 6e 2f 68 65 61 70 2e 72
//	0x160  69 6e 67 4e 6f 64 65
//	0x167  02                                               2 fields
//	0x168  04 6e 65 78 74                                   next
//	0x16d  00                                               not embedded
//	0x16e  1d 67 69 74 68 75 62 2e 63 6f 6d 2f 63 6b 70 67  its package
//	0x17e  65 6e 2f 63 6b 70 67 65 6e 2f 68 65 61 70
//	0x18c  00 00                                            no tag; type 0
//	0x18e  01 6e                                            n
//	0x190  00                                               not embedded
//	0x191  1d 67 69 74 68 75 62 2e 63 6f 6d 2f 63 6b 70 67  its package
//	0x1a1  65 6e 2f 63 6b 70 67 65 6e 2f 68 65 61 70
//	0x1af  00 02                                            no tag; type 2
//	0x1b1  05 00                                            type 2: an int32
//	0x1b3  05 69 6e 74 33 32                                its name
//	0x1b9  00 00 00 00 00 00 00                             padding
//
// Names (none), and the root: head has type 0 and is object 1.
//
//	0x1c0  00                                               no names
//	0x1c1  00 00 00 00 00 00 00                             padding
//	0x1c8  01                                               1 root
//	0x1c9  04 68 65 61 64                                   head
//	0x1ce  00 01                                            type 0; object 1
//
// Two groups, of one object each: the variable, and the node. Then the empty
// tables of maps, channels and functions; heap.interior has no bytes at all.
//
//	0x1d0  02                                               2 groups
//	0x1d1  00 01 01 00                                      type 0, 1 element, 1 object, neither boxes nor text
//	0x1d5  01 01 01 00                                      type 1, the same
//	0x1d9  00 00 00 00 00 00 00                             padding
//	0x1e0  00                                               no maps
//	0x1e1  00 00 00 00 00 00 00                             padding
//	0x1e8  00                                               no channels
//	0x1e9  00 00 00 00 00 00 00                             padding
//	0x1f0  00                                               no functions
//	0x1f1  00 00 00 00 00 00 00                             padding
//
// The objects: head leads to object 2, and so does next.
//
//	0x1f8  02 00 00 00                                      object 1: head
//	0x1fc  00 00 00 00                                      padding of the group
//	0x200  02 00 00 00                                      object 2: next
//	0x204  07 00 00 00                                      n
//
// A reader knows versions one by one. Version 1 is the first.
package heap
