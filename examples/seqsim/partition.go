package main

// partition says who computes what: the rows are cut into a band for each process, the columns into
// blocks. The letters of the blocks lie with the processes too, some blocks with each, until the
// first band needs them.
type partition struct {
	rows, columns int
	width         int // of a block; the last one may be narrower
	processes     int
}

// rowsOf gives the rows of the band of a process: from first up to end. Bands are whole words, but
// for the end of the last one; there are empty ones where there are fewer words than processes.
func (p *partition) rowsOf(process int) (first, end int) {
	w := words(p.rows)
	first = min(w*process/p.processes*wordBits, p.rows)
	end = min(w*(process+1)/p.processes*wordBits, p.rows)
	return first, end
}

// blocks is the number of blocks.
func (p *partition) blocks() int { return (p.columns + p.width - 1) / p.width }

// columnsOf gives the columns of a block: from first up to end.
func (p *partition) columnsOf(b int) (first, end int) {
	return b * p.width, min((b+1)*p.width, p.columns)
}

// shareOf gives the columns whose letters lie with a process: those of some whole blocks, of block
// 0 with process 0.
func (p *partition) shareOf(process int) (first, end int) {
	each := (p.blocks() + p.processes - 1) / p.processes * p.width
	return min(process*each, p.columns), min((process+1)*each, p.columns)
}

// keeper is the process with which the letters of a block lie.
func (p *partition) keeper(block int) int {
	return block / ((p.blocks() + p.processes - 1) / p.processes)
}

// supersteps is how many it takes: the last process begins when the first block has passed all
// others.
func (p *partition) supersteps() int {
	if p.blocks() == 0 {
		return 0
	}
	return p.blocks() + p.processes - 1
}

// blockWidth is a good width of blocks: narrow enough that there are many more blocks than
// processes, which wait at the beginning and at the end for the others, and that progress is seen
// and barriers reached every now and then; but not so narrow that the barriers cost more than the
// cells between them.
func blockWidth(rows, columns, processes, cellsPerBlock int) int {
	const perProcess, narrowest = 32, 256
	width := columns / (perProcess * processes)
	width = max(width, narrowest)
	if band := rows / processes; band > 0 {
		width = min(width, max(cellsPerBlock/band, narrowest))
	}
	return width
}
