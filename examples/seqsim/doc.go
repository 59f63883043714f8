// Seqsim compares two nucleotide sequences in parallel.
//
//	seqsim [-score edit|lcs|global|local] [flags] [A.fa B.fa]
//	seqsim [-score ...] [flags] -random LENGTH [-pairs K] [-seed S]
//
// The comparison of sequences of m and n letters is a matrix of m times n cells, in which each cell
// follows from its neighbours above, to the left and diagonally between. The criteria differ in
// what a cell is:
//
//	edit     the edit distance: insertions, deletions and substitutions, each 1
//	lcs      the length of the longest common subsequence
//	global   the score of the best alignment of the whole sequences, gaps at the ends included
//	local    the score of the best alignment of any part of the one with any part of the other
//
// Alignments score as in EMBOSS: the matrix EDNAFULL (match 5, mismatch -4), and affine gaps, whose
// first residue costs -gap-open and each further one -gap-extend (16 and 4 for global, 10 and 0.5
// for local, unless given).
//
// # The wavefront
//
// The parallel algorithm is that of Alves, Cáceres, Dehne and Song ("A Parallel Wavefront Algorithm
// for Efficient Biological Sequence Comparison", 2003). The rows of the matrix are cut into a band
// for each of p processes, the columns into blocks. A process can compute a block when it has done
// the one to the left, and its neighbour the one above. So in superstep s process k computes block
// s-k of its band: a diagonal of blocks, which moves over the matrix like a wave.
//
//	             blocks of B
//	           0   1   2   3   4
//	band 0   | 0 | 1 | 2 | 3 | 4 |
//	band 1   | 1 | 2 | 3 | 4 | 5 |      the superstep in which each is computed
//	band 2   | 2 | 3 | 4 | 5 | 6 |
//	of A
//
// Between supersteps, the letters of a block and the border below it go to the next process. A
// process holds its band of A, the last column computed of its band, its share of the letters of B
// and one block: O((m+n)/p). Only process 0 reads files, and for a moment holds everything, until
// it has dealt it out.
//
// With b blocks it takes b+p-1 supersteps, of which each process computes in b. So blocks should be
// narrow, as long as a superstep is much longer than a barrier (-block).
//
// # Output
//
// Process 0 prints, as the last line on standard output,
//
//	CRITERION ID-A ID-B VALUE
//
// with the IDs from the headers of the files; with -random one such line for each pair. If standard
// error is a terminal, it shows the progress. Without files the mitochondrial genomes of man and
// mouse are compared, which come with the program.
//
// Files are FASTA, plain or gzip, of one sequence each; see [parseFASTA].
package main
