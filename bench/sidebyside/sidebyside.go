// Package sidebyside runs programs in turns and compares their times.
//
// On a machine that does other things too, the time of a program drifts by more than what
// instrumentation costs. So the variants take turns, each once a round, in an order that changes
// from round to round, and what is compared is the medians. Beside the time on the clock stands
// that of the processors: it shows whether a difference is one of work or of waiting.
package sidebyside

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"time"
)

// A Variant is one of the programs that are compared.
type Variant struct {
	Name string

	// Command makes the command of a round, counted from 0; its output streams are not set.
	Command func(round int) (*exec.Cmd, error)

	// After, if not nil, is called when the command of a round has ended well.
	After func(round int) error
}

// Times are what the rounds of a variant took.
type Times struct {
	Clock     []time.Duration // by round
	Processor []time.Duration // user and system, by round
	Output    string          // standard output, the same in all rounds
}

// Run runs the variants for a number of rounds, after one round that does not count if warm is
// true. All must write the same to standard output in each round: an error names the one that does
// not, or that fails. Tell is called with a line on each command that has ended.
func Run(rounds int, warm bool, variants []Variant, tell func(string)) ([]Times, error) {
	times := make([]Times, len(variants))
	order := make([]int, len(variants))
	for i := range order {
		order[i] = i
	}
	var one string // the variant that ran first, and what it wrote
	var wrote *string
	total, first := rounds, 0
	if warm {
		total, first = rounds+1, 1
	}
	for round := range total {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			clock, processor, output, err := once(variants[i], round)
			if err != nil {
				return nil, err
			}
			if wrote == nil {
				one, wrote = variants[i].Name, &output
			}
			if output != *wrote {
				return nil, fmt.Errorf("%s wrote %q, but %s wrote %q", variants[i].Name, output, one, *wrote)
			}
			times[i].Output = output
			if round >= first {
				times[i].Clock = append(times[i].Clock, clock)
				times[i].Processor = append(times[i].Processor, processor)
			}
			tell(fmt.Sprintf("round %d of %d: %s: %.3f s", round+1, total, variants[i].Name, clock.Seconds()))
		}
	}
	return times, nil
}

func once(v Variant, round int) (clock, processor time.Duration, output string, err error) {
	c, err := v.Command(round)
	if err != nil {
		return 0, 0, "", fmt.Errorf("%s: %w", v.Name, err)
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err = c.Run()
	clock = time.Since(start)
	if err != nil {
		return 0, 0, "", fmt.Errorf("%s: %w\n%s", v.Name, err, errs.String())
	}
	processor = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if v.After != nil {
		if err := v.After(round); err != nil {
			return 0, 0, "", fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	return clock, processor, out.String(), nil
}

// Median is the median of durations, the mean of the middle two if they are even in number.
func Median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}
