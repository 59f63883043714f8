package launch

import (
	"fmt"
	"strings"
	"time"
)

// statusLine describes the job in one line.
func (j *job) statusLine() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %d processes  superstep %d", clock(time.Since(j.began)), j.spec.Processes, j.step)
	switch {
	case !j.lastAt.IsZero():
		fmt.Fprintf(&b, "  checkpoint %d (%s in %s) %s ago", j.last.Seq, size(j.last.Bytes),
			seconds(time.Duration(j.last.Millis)*time.Millisecond), clock(time.Since(j.lastAt)))
	case j.base > 0:
		fmt.Fprintf(&b, "  from checkpoint %d", j.base)
	default:
		b.WriteString("  no checkpoint yet")
	}
	if j.limits.restarts > 0 {
		fmt.Fprintf(&b, "  %d restarts", j.limits.restarts)
	}
	if j.stopping {
		b.WriteString("  stopping")
	}
	return b.String()
}

// clock prints a duration to the second: 12s, 3m05s, 29h07m.
func clock(d time.Duration) string {
	s := int64(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

// seconds prints a short duration: 0.031 s, 12.3 s.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.3f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// size prints a number of bytes: 17 B, 4.0 MB.
func size(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, u := float64(n), -1
	for f >= 999.95 && u < len(units)-1 {
		f, u = f/1000, u+1
	}
	return fmt.Sprintf("%.1f %cB", f, units[u])
}
