package sidebyside

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The commands are this test binary, started again, which writes what it is told to.
func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv("SIDEBYSIDE_WRITE"); ok {
		fmt.Print(text)
		if text == "fail" {
			os.Exit(7)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func writing(name, text string) Variant {
	return Variant{Name: name, Command: func(int) (*exec.Cmd, error) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "SIDEBYSIDE_WRITE="+text)
		return c, nil
	}}
}

func TestRun(t *testing.T) {
	after := 0
	b := writing("b", "same")
	b.After = func(int) error { after++; return nil }
	times, err := Run(3, true, []Variant{writing("a", "same"), b}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range times {
		if len(times[i].Clock) != 3 || len(times[i].Processor) != 3 || times[i].Output != "same" || Median(times[i].Clock) <= 0 {
			t.Errorf("times of variant %d: %+v", i, times[i])
		}
	}
	if after != 4 {
		t.Errorf("After was called %d times in 4 rounds", after)
	}
	if _, err := Run(1, false, []Variant{writing("a", "one"), writing("b", "other")}, func(string) {}); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Errorf("different output: %v", err)
	}
	if _, err := Run(1, false, []Variant{writing("a", "fail")}, func(string) {}); err == nil || !strings.Contains(err.Error(), "a: exit status 7") {
		t.Errorf("failing program: %v", err)
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		d    []time.Duration
		want time.Duration
	}{{nil, 0}, {[]time.Duration{5}, 5}, {[]time.Duration{9, 1, 5}, 5}, {[]time.Duration{9, 1, 5, 7}, 6}} {
		if got := Median(test.d); got != test.want {
			t.Errorf("median of %v: %v", test.d, got)
		}
	}
}

func TestTable(t *testing.T) {
	table := Table{Head: []string{"what", "µs"}}
	table.Add("a", "1.5")
	table.Add("longer", "")
	var out strings.Builder
	if err := table.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := "| what   |  µs |\n|--------|----:|\n| a      | 1.5 |\n| longer |     |\n"
	if out.String() != want {
		t.Errorf("table:\n%s", out.String())
	}
}

func TestGeneral(t *testing.T) {
	for model, want := range map[string]string{
		" Intel(R) Xeon(R) Processor @ 2.30GHz":    "Intel Xeon",
		"AMD EPYC 7B13 64-Core Processor":          "AMD EPYC 7B13",
		"Intel(R) Core(TM) i7-8565U CPU @ 1.80GHz": "Intel Core i7-8565U",
	} {
		if got := general(model); got != want {
			t.Errorf("%q: %q", model, got)
		}
	}
}
