package main

// letters are the nucleotide codes of IUPAC, in the order of the EDNAFULL matrix; a sequence is
// held as the indices of its letters in this string, below [codes].
const letters = "ATGCSWRYKMBVHDNU"

// codes is the number of letters. It is a power of two, so that an index masked with codes-1
// needs no bounds check in the inner loops.
const codes = 16

// notLetter marks, in codeOf, the bytes that are no letter of a sequence.
const notLetter = 0xff

// codeOf gives the code of each letter, upper or lower case.
var codeOf = func() (table [256]byte) {
	for i := range table {
		table[i] = notLetter
	}
	for code := range codes {
		upper := letters[code]
		table[upper] = byte(code)
		table[upper-'A'+'a'] = byte(code)
	}
	return table
}()

// ednafull is the score of each pair of letters in EDNAFULL, the matrix of NCBI (NUC.4.4) that
// EMBOSS uses for nucleotides: 5 for a match and -4 for a mismatch, and for the letters that
// stand for several bases about the mean over these. U scores as T.
var ednafull = [codes][codes]int8{
	{5, -4, -4, -4, -4, 1, 1, -4, -4, 1, -4, -1, -1, -1, -2, -4},     // A
	{-4, 5, -4, -4, -4, 1, -4, 1, 1, -4, -1, -4, -1, -1, -2, 5},      // T
	{-4, -4, 5, -4, 1, -4, 1, -4, 1, -4, -1, -1, -4, -1, -2, -4},     // G
	{-4, -4, -4, 5, 1, -4, -4, 1, -4, 1, -1, -1, -1, -4, -2, -4},     // C
	{-4, -4, 1, 1, -1, -4, -2, -2, -2, -2, -1, -1, -3, -3, -1, -4},   // S
	{1, 1, -4, -4, -4, -1, -2, -2, -2, -2, -3, -3, -1, -1, -1, 1},    // W
	{1, -4, 1, -4, -2, -2, -1, -4, -2, -2, -3, -1, -3, -1, -1, -4},   // R
	{-4, 1, -4, 1, -2, -2, -4, -1, -2, -2, -1, -3, -1, -3, -1, 1},    // Y
	{-4, 1, 1, -4, -2, -2, -2, -2, -1, -4, -1, -3, -3, -1, -1, 1},    // K
	{1, -4, -4, 1, -2, -2, -2, -2, -4, -1, -3, -1, -1, -3, -1, -4},   // M
	{-4, -1, -1, -1, -1, -3, -3, -1, -1, -3, -1, -2, -2, -2, -1, -1}, // B
	{-1, -4, -1, -1, -1, -3, -1, -3, -3, -1, -2, -1, -2, -2, -1, -4}, // V
	{-1, -1, -4, -1, -3, -1, -3, -1, -3, -1, -2, -2, -1, -2, -1, -1}, // H
	{-1, -1, -1, -4, -3, -1, -1, -3, -1, -3, -2, -2, -2, -1, -1, -1}, // D
	{-2, -2, -2, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2}, // N
	{-4, 5, -4, -4, -4, 1, -4, 1, 1, -4, -1, -4, -1, -1, -2, 5},      // U
}
