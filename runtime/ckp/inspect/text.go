package inspect

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	buffered := bufio.NewWriter(w) // a tabwriter writes each cell by itself
	t := &text{w: tabwriter.NewWriter(buffered, 0, 8, 2, ' ', 0)}
	t.line("%s", r.Path)
	t.history(r)
	for _, d := range r.Damage {
		t.line("damaged: %s", d)
	}
	if len(r.Processes) == 0 {
		t.line("there is no checkpoint to show")
	}
	for i := range r.Processes {
		t.line("")
		t.process(&r.Processes[i])
	}
	t.flush()
	if err := buffered.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}

// text writes lines of columns separated by tabs, and keeps the first error.
type text struct {
	w   *tabwriter.Writer
	err error
}

func (t *text) line(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format+"\n", args...); t.err == nil {
		t.err = err
	}
}

// flush ends a table: columns are aligned within it.
func (t *text) flush() {
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
}

func (t *text) history(r *Report) {
	if len(r.Checkpoints) > 0 {
		t.line("checkpoints, newest first:")
		for _, c := range r.Checkpoints {
			if c.Processes == 0 {
				t.line("  %d\tepoch %d\t%s\t%s", c.Seq, c.Epoch, c.State, c.Fault)
				continue
			}
			more := ""
			if c.Superstep > 0 {
				more = fmt.Sprintf("superstep %d  ", c.Superstep)
			}
			t.line("  %d\tepoch %d\t%s\t%s\t%s\t%s\t%s", c.Seq, c.Epoch, c.State, clock(c.Time), plural(c.Processes, "process", "processes"), Size(c.Bytes), strings.TrimSpace(more+c.Note+"  "+c.Fault))
		}
		t.flush()
	}
	if len(r.Incarnations) > 0 {
		t.line("starts, newest first:")
		for _, in := range r.Incarnations {
			from := "from the beginning"
			if in.Base > 0 {
				from = fmt.Sprintf("from checkpoint %d", in.Base)
			}
			if !in.Started {
				from = "did not begin"
			}
			t.line("  epoch %d\t%s\t%s\t%s", in.Epoch, from, clock(in.Time), in.Owner)
		}
		t.flush()
	}
}

func (t *text) process(p *Process) {
	t.line("checkpoint %d, process %d of %d: %s (%s)", p.Seq, p.Rank, p.Size, p.File, Size(p.Bytes))
	if p.Problem != "" {
		t.line("  %s", p.Problem)
		return
	}
	t.line("  taken %s by process %d on %s (%s, %s), which stood still for %v", clock(p.Time), p.PID, p.Host, p.System, p.Compiler, time.Duration(p.Pause).Round(10*time.Microsecond))
	t.line("  command: %s", strings.Join(p.Args, " "))
	t.line("  program: %s, fingerprint %s", plural(p.Functions, "instrumented function", "instrumented functions"), p.Program)
	if len(p.Goroutines) == 0 {
		t.line("  stack, innermost call first:")
		t.stack(p.Stack)
	}
	for _, g := range p.Goroutines {
		t.line("  %s", title(g))
		t.stack(g.Stack)
	}
	t.variables("package variables", p.Variables)
	t.variables("state of libraries", p.Libraries)
	t.line("  heap: %s, %s", plural(p.Objects, "object", "objects"), Size(int64(p.HeapBytes)))
	if p.Since > 0 {
		t.line("  since checkpoint %d: %s changed, %s new, %s gone", p.Since, Size(int64(p.Changed)), Size(int64(p.New)), Size(int64(p.Gone)))
	}
	t.line("  by type:")
	for _, s := range p.Types {
		t.line("    %s\t%d%s\t%s", Size(int64(s.Bytes)), s.Objects, p.changes(s.Changed, s.New), s.Type)
	}
	t.flush()
	t.line("  by variable, with all that it reaches:")
	for _, v := range p.Sizes {
		t.line("    %s\t%s alone%s\t%s", Size(int64(v.Bytes)), Size(int64(v.Alone)), p.changes(v.Changed, v.New), v.Name)
	}
	t.line("    %s\t\t%s(what the runtime keeps of the stacks)", Size(int64(p.Rest)), strings.Repeat("\t", strings.Count(p.changes(1, 1), "\t")))
	t.flush()
	if len(p.Shared) > 0 {
		t.line("  shared:")
	}
	for _, s := range p.Shared {
		t.line("    %s\t%s%s\t%s", Size(int64(s.Bytes)), plural(s.Objects, "object", "objects"), p.changes(s.Changed, s.New), several(s.Variables))
	}
	t.flush()
}

// changes returns the columns about what has changed, if there is something to compare with.
func (p *Process) changes(changed, added int) string {
	if p.Since == 0 {
		return ""
	}
	columns := ""
	for _, c := range []struct {
		n    int
		what string
	}{{changed, "changed"}, {added, "new"}} {
		columns += "\t"
		if c.n > 0 {
			columns += Size(int64(c.n)) + " " + c.what
		}
	}
	return columns
}

// several names variables, the first few of many.
func several(names []string) string {
	const most = 4
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (t *text) stack(frames []Frame) {
	for _, f := range frames {
		t.line("    %s  %s:%d in the call of %s", f.Function, f.File, f.Line, f.Call)
		for _, v := range f.Variables {
			t.variable("        ", v)
		}
		t.flush()
	}
}

// title says which goroutine it is and what it is doing.
func title(g Goroutine) string {
	name := fmt.Sprintf("goroutine %d", g.Number)
	if g.Number == 0 {
		name = "main goroutine"
	}
	switch {
	case g.Ended:
		return name + " has ended"
	case g.Begins != "":
		return name + " is about to call " + g.Begins
	case g.Remaining > 0:
		return fmt.Sprintf("%s, blocked [%s, %v left]:", name, g.Waiting, time.Duration(g.Remaining).Round(time.Microsecond))
	case g.Waiting != "":
		return name + ", blocked [" + g.Waiting + "]:"
	}
	return name + ":"
}

func (t *text) variables(title string, list []Variable) {
	if len(list) == 0 {
		return
	}
	t.line("  %s:", title)
	for _, v := range list {
		t.variable("    ", v)
	}
	t.flush()
}

func (t *text) variable(indent string, v Variable) {
	// A tab in a value would begin a column.
	name := v.Name
	if v.Generated {
		name = "(" + name + ")"
	}
	t.line("%s%s\t%s\t= %s", indent, name, v.Type, strings.ReplaceAll(v.Value, "\t", " "))
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format(time.DateTime)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}

// Size returns a number of bytes in a unit that suits it: 999 B, 12.3 kB, 4.0 GB.
func Size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f := float64(n)
	for _, unit := range []string{"kB", "MB", "GB"} {
		f /= 1000
		if f < 999.95 {
			return fmt.Sprintf("%.1f %s", f, unit)
		}
	}
	return fmt.Sprintf("%.1f TB", f/1000)
}
