package corpus

import (
	"fmt"
	"path"
	"sort"
	"strings"
)

// Table returns the results as a page of text: the sums, and each program that is not simply a
// pass. everywhere lists further inapplicable programs with polls everywhere.
func Table(system string, results []Result, inapplicable, everywhere, missed map[string]string) string {
	type sums struct{ count, passed, none, partly, missed, wrong, inapplicable, excluded, checkpoints int }
	var all, dense sums
	of := make(map[string]*sums)
	var inList, misses, partly, none, excluded []string
	for _, r := range results {
		if r.Dense {
			_, listed := inapplicable[r.Program]
			_, further := everywhere[r.Program]
			if listed || further || r.Verdict == Excluded {
				continue
			}
			dense.count++
			dense.checkpoints += r.Checkpoints
			switch {
			case r.Verdict == Wrong:
				dense.wrong++
				misses = append(misses, row(r.Program, "with polls everywhere, wrong: "+r.Why))
			case r.Verdict == Missed:
				dense.missed++
			case r.None:
				dense.none++
			}
			continue
		}
		s := of[path.Dir(r.Program)]
		if s == nil {
			s = new(sums)
			of[path.Dir(r.Program)] = s
		}
		for _, s := range []*sums{s, &all} {
			reason, listed := inapplicable[r.Program]
			if r.Verdict == Excluded {
				s.excluded++
				if s == &all {
					excluded = append(excluded, row(r.Program, r.Why))
				}
				continue
			}
			if listed {
				s.inapplicable++
				if s == &all {
					inList = append(inList, row(r.Program, reason))
				}
				continue
			}
			s.count++
			s.checkpoints += r.Checkpoints
			switch {
			case r.Verdict == Wrong:
				s.wrong++
			case r.Verdict == Missed:
				s.missed++
			case r.None:
				s.none++
				s.passed++
			default:
				s.passed++
				if r.Partly {
					s.partly++
				}
			}
			if s != &all {
				continue
			}
			switch {
			case r.Verdict != Passed:
				why := r.Why
				if reason, ok := missed[r.Program]; ok && r.Verdict == Missed {
					why = reason
				}
				misses = append(misses, row(r.Program, string(r.Verdict)+": "+why))
			case r.None:
				none = append(none, r.Program)
			case r.Partly:
				partly = append(partly, row(r.Program, r.Why))
			}
		}
	}
	var b strings.Builder
	b.WriteString("# Go's own test programs under torture\n\n")
	fmt.Fprintf(&b, "Written by `go test ./instrument/corpus -long -table docs/GOROOT.md`, which tells what is tried and how it is judged\n(`go doc ./instrument/corpus`). %s.\n\n", system)
	fmt.Fprintf(&b, "**%d of %d programs pass (%.1f%%)**, %d miss, %d are wrong. %d checkpoints were taken, each continued by a new process.\n",
		all.passed, all.count, 100*float64(all.passed)/float64(max(all.count, 1)), all.missed, all.wrong, all.checkpoints)
	fmt.Fprintf(&b, "%d of those that pass offer no opportunity for a checkpoint (no recursion, no long loop); %d more refused some checkpoints and\ntook others. %d can't survive a change of process by their nature and do not count, nor do %d that do not do what is\nexpected of them when they are built plainly.\n\n",
		all.none, all.partly, all.inapplicable, all.excluded)
	if dense.count > 0 {
		fmt.Fprintf(&b, "With polls on entry of every function and in every loop (`-dense`), %d of %d programs print what they should, with %d checkpoints;\n%d are refused or too slow then, %d still offer no opportunity, %d are wrong.\n\n",
			dense.count-dense.missed-dense.wrong, dense.count, dense.checkpoints, dense.missed, dense.none, dense.wrong)
	}
	b.WriteString("| folder | programs | pass | without an opportunity | miss | wrong | checkpoints |\n|---|---|---|---|---|---|---|\n")
	var folders []string
	for folder := range of {
		folders = append(folders, folder)
	}
	sort.Strings(folders)
	for _, folder := range folders {
		s := of[folder]
		name := "test/" + folder
		if folder == "." {
			name = "test"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, s.count, s.passed, s.none, s.missed, s.wrong, s.checkpoints)
	}
	section := func(title, heading string, rows []string) {
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n| program | %s |\n|---|---|\n%s", title, heading, strings.Join(rows, ""))
		}
	}
	section("Not passed", "what happens", misses)
	section("Passed, with some checkpoints refused", "the first refusal", partly)
	section("Not applicable", "reason", inList)
	section("Not counted: the plain program", "what happens", excluded)
	if len(none) > 0 {
		fmt.Fprintf(&b, "\n## Passed without an opportunity for a checkpoint\n\n%s\n", strings.Join(none, ", "))
	}
	return b.String()
}

func row(program, text string) string {
	const most = 240
	if len(text) > most {
		text = text[:most] + "..."
	}
	text = strings.Join(strings.Fields(text), " ")
	return fmt.Sprintf("| %s | %s |\n", program, strings.ReplaceAll(text, "|", "\\|"))
}
