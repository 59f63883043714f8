package main

import "github.com/ckpgen/ckpgen/bsp"

// compare computes the value for a pair that process 0 has got; it is nil there if there is none,
// and then there is no value. All processes call it, the value is for process 0.
func compare(o *options, in *input) (value string, ok bool) {
	size := make([]int64, 3) // rows, columns, and whether there is a pair at all
	sizeReg := bsp.PushRegister(size)
	bsp.Sync()
	if bsp.PID() == 0 && in != nil {
		for process := range bsp.NProcs() {
			bsp.Put(process, []int64{int64(len(in.a.seq)), int64(len(in.b.seq)), 1}, sizeReg, 0)
		}
	}
	bsp.PopRegister(sizeReg)
	bsp.Sync()
	if size[2] == 0 {
		return "", false
	}

	w := newWave(o, int(size[0]), int(size[1]))
	bsp.Sync()
	if bsp.PID() == 0 {
		w.deal(in)
	}
	bsp.Sync()
	w.begin(o)
	for step := range w.supersteps() {
		w.superstep(step)
		bsp.Sync()
	}
	w.finish()
	bsp.Sync()
	return o.criterion.value(w.scores, w.columns, w.parts), true
}

// wave is the state of a process in the comparison of a pair.
type wave struct {
	partition
	scores *scoring
	planes int
	kernel kernel
	shown  progress

	// What others put into.
	band   []byte  // of this process: the letters of its rows
	share  []byte  // the letters of the columns that lie with it
	text   []byte  // the letters of the block
	border []int32 // the border above the block, then that below it
	parts  []int64 // on process 0, what each band contributes

	bandReg, shareReg, textReg bsp.Reg[byte]
	borderReg                  bsp.Reg[int32]
	partsReg                   bsp.Reg[int64]
}

// newWave makes room for a comparison of this size, and registers it.
func newWave(o *options, rows, columns int) *wave {
	w := &wave{planes: o.criterion.planes()}
	w.partition = partition{rows: rows, columns: columns, width: o.width, processes: bsp.NProcs()}
	if w.width == 0 {
		w.width = blockWidth(rows, columns, w.processes, o.criterion.cellsPerBlock())
	}
	w.width = max(1, min(w.width, columns))
	w.scores, _ = newScoring(o.open, o.extend, rows, columns) // process 0 has seen that it can be done

	first, end := w.rowsOf(bsp.PID())
	w.band = room(end - first)
	first, end = w.shareOf(bsp.PID())
	w.share = room(end - first)
	w.text = make([]byte, w.width)
	w.border = make([]int32, w.planes*w.width)
	w.parts = make([]int64, w.processes)

	w.bandReg = bsp.PushRegister(w.band)
	w.shareReg = bsp.PushRegister(w.share)
	w.textReg = bsp.PushRegister(w.text)
	w.borderReg = bsp.PushRegister(w.border)
	w.partsReg = bsp.PushRegister(w.parts)
	return w
}

// room is for so many letters; no letters have none, and are registered as nothing.
func room(letters int) []byte {
	if letters == 0 {
		return nil
	}
	return make([]byte, letters)
}

// deal gives each process its part of the sequences, which process 0 then no longer needs.
func (w *wave) deal(in *input) {
	for process := range w.processes {
		first, end := w.rowsOf(process)
		bsp.Put(process, in.a.seq[first:end], w.bandReg, 0)
		first, end = w.shareOf(process)
		bsp.Put(process, in.b.seq[first:end], w.shareReg, 0)
	}
	in.a.seq, in.b.seq = nil, nil
}

// begin prepares for the first superstep. Its letters need no way: block 0 lies with process 0.
func (w *wave) begin(o *options) {
	bsp.PopRegister(w.bandReg)
	bsp.PopRegister(w.shareReg)
	first, _ := w.rowsOf(bsp.PID())
	w.kernel = o.criterion.kernel(w.scores, w.band, first)
	if bsp.PID() == 0 {
		copy(w.text, w.share)
	}
	w.shown.begin()
}

// superstep computes the block of this process on the diagonal, and sends on what is needed for
// the next.
func (w *wave) superstep(step int) {
	if block := step - bsp.PID(); 0 <= block && block < w.blocks() {
		first, end := w.columnsOf(block)
		text, border := w.text[:end-first], w.border[:w.planes*(end-first)]
		if bsp.PID() == 0 {
			w.kernel.top(first, border)
		}
		w.kernel.block(text, border)
		if below := bsp.PID() + 1; below < w.processes {
			bsp.Put(below, text, w.textReg, 0)
			bsp.Put(below, border, w.borderReg, 0)
		}
	}
	if next := step + 1; next < w.blocks() && w.keeper(next) == bsp.PID() {
		first, end := w.columnsOf(next)
		start, _ := w.shareOf(bsp.PID())
		bsp.Put(0, w.share[first-start:end-start], w.textReg, 0)
	}
	if bsp.PID() == 0 {
		w.shown.show(step+1, w.supersteps(), float64(w.rows)*float64(w.columns))
	}
}

// finish tells process 0 what the band contributes.
func (w *wave) finish() {
	if bsp.PID() == 0 {
		w.shown.end()
	}
	bsp.Put(0, []int64{w.kernel.part()}, w.partsReg, bsp.PID())
	bsp.PopRegister(w.textReg)
	bsp.PopRegister(w.borderReg)
	bsp.PopRegister(w.partsReg)
}
