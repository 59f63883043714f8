package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

var long = flag.Bool("long", false, "compare halves of bacterial genomes too: a minute")

// The tests run the program as jobs of real processes: this test binary, started again.
const programVariable = "SEQSIM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// result is what a process left.
type result struct {
	status   int
	out, err string
}

// runJob runs the program as n processes, without a launcher; as a single one it runs plainly.
func runJob(t testing.TB, n int, args ...string) []result {
	t.Helper()
	limit := time.Minute // on a busy machine; a second otherwise
	if *long {
		limit = 20 * time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "seqsim")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	processes := make([]*exec.Cmd, n)
	out, errs := make([]bytes.Buffer, n), make([]bytes.Buffer, n)
	for rank := range n {
		c := exec.CommandContext(ctx, os.Args[0], args...)
		c.Env = append(os.Environ(), programVariable+"=1")
		if n > 1 {
			place := control.Job{Rank: rank, Size: n, Epoch: 1, RunDir: dir}
			c.Env = append(c.Env, place.Variables()...)
		}
		c.Stdout, c.Stderr = &out[rank], &errs[rank]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		processes[rank] = c
	}
	results := make([]result, n)
	for rank, c := range processes {
		c.Wait()
		results[rank] = result{c.ProcessState.ExitCode(), out[rank].String(), errs[rank].String()}
	}
	return results
}

// output runs a job that must succeed, with nothing but the output of process 0.
func output(t testing.TB, n int, args ...string) string {
	t.Helper()
	results := runJob(t, n, args...)
	for rank, r := range results {
		if r.status != 0 || r.err != "" || rank > 0 && r.out != "" {
			t.Errorf("%v, process %d of %d: status %d\n%s%s", args, rank, n, r.status, r.out, r.err)
		}
	}
	return results[0].out
}

var jobSizes = []int{1, 2, 3, 4, 7}

const sequences = "../../testdata/sequences"

// The answers of other programs: edit and lcs of an independent implementation, global of
// stretcher and local of water (EMBOSS).
func TestAnswers(t *testing.T) {
	human, mouse := "humanMito.fa", "mouseMito.fa"
	fugu := filepath.Join(sequences, "fuguMito.fa")
	lambda := filepath.Join(sequences, "lambda_virus.fa.gz")
	for _, test := range []struct{ a, b, score, want string }{
		{"", "", "edit", "humanMito mouseMito 5200"},
		{human, mouse, "lcs", "humanMito mouseMito 12486"},
		{human, mouse, "global", "humanMito mouseMito 33332"},
		{human, mouse, "local", "humanMito mouseMito 40477.5"},
		{human, fugu, "edit", "humanMito fuguMito 5923"},
		{human, fugu, "lcs", "humanMito fuguMito 12151"},
		{human, fugu, "global", "humanMito fuguMito 25943"},
		{human, fugu, "local", "humanMito fuguMito 34618.5"},
		{lambda, human, "edit", "gi|9626243|ref|NC_001416.1| humanMito 32712"},
		{lambda, human, "lcs", "gi|9626243|ref|NC_001416.1| humanMito 15829"},
	} {
		sizes := jobSizes
		if test.b == fugu || test.a == lambda {
			sizes = []int{2} // the first pair has had them all
		}
		for _, n := range sizes {
			args := []string{"-score", test.score}
			if test.a != "" {
				args = append(args, test.a, test.b)
			}
			want := test.score + " " + test.want + "\n"
			if got := output(t, n, args...); got != want {
				t.Errorf("%d processes: %s instead of %s", n, got, want)
			}
		}
	}
}

// The first halves of two chromosomes of Helicobacter pylori, 6.4e11 cells; the value is what edlib
// 1.2.7 finds. The test of the command compares the whole ones, with the other score.
func TestGenomes(t *testing.T) {
	if !*long {
		t.Skip("takes a minute: run with -long")
	}
	args := []string{"-score", "edit"}
	for _, name := range []string{"G27", "ELS37"} {
		file, err := os.Open(filepath.Join(sequences, name+".fasta.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		zip, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(zip)
		if err != nil {
			t.Fatal(err)
		}
		_, letters, _ := strings.Cut(string(text), "\n")
		path := filepath.Join(t.TempDir(), name)
		half := ">" + name + "\n" + strings.ReplaceAll(letters, "\n", "")[:800000] + "\n"
		if err := os.WriteFile(path, []byte(half), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	start := time.Now()
	if got, want := output(t, 7, args...), "edit G27 ELS37 340511\n"; got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	t.Log(time.Since(start))
}

// The value does not depend on the number of processes, nor on the blocks, for sequences as short
// as none at all.
func TestShortSequencesInParallel(t *testing.T) {
	dir := t.TempDir()
	file := func(name, seq string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(">"+name+"\n"+seq+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	none, one := file("none", ""), file("one", "c")
	some := file("some", strings.Repeat("GATTACACCGT", 30))
	other := file("other", strings.Repeat("GATACACGCGTA", 25))
	for _, pair := range [][2]string{{none, none}, {none, one}, {one, none}, {one, one}, {one, some}, {some, one}, {none, some}, {some, none}, {some, other}} {
		a, err := readFASTA(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		b, err := readFASTA(pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range allCriteria {
			open, extend := c.gaps()
			s := mustScore(t, open, extend, a.seq, b.seq)
			want := fmt.Sprintf("%s %s %s %s\n", c, a.id, b.id, naive(c, s, a.seq, b.seq))
			n := []int{1, 2, 4, 7}[i]
			for _, block := range []string{"7", "1000000"} {
				if got := output(t, n, "-score", string(c), "-block", block, pair[0], pair[1]); got != want {
					t.Errorf("%d processes, blocks of %s: %s instead of %s", n, block, got, want)
				}
			}
		}
	}
}

// Random pairs are the same in every job, and different from each other.
func TestRandomPairs(t *testing.T) {
	args := []string{"-score", "local", "-random", "1000", "-pairs", "3", "-seed", "7"}
	want := output(t, 1, args...)
	lines := strings.Split(strings.TrimSpace(want), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[2], "local random3a random3b ") {
		t.Fatalf("output: %s", want)
	}
	if got := output(t, 3, args...); got != want {
		t.Errorf("3 processes: %s instead of %s", got, want)
	}
	if got := output(t, 2, "-score", "local", "-random", "1000", "-pairs", "3", "-seed", "8"); got == want {
		t.Errorf("another seed, but the same scores: %s", got)
	}
	if got := output(t, 2, "-random", "0"); got != "edit random1a random1b 0\n" {
		t.Errorf("random sequences of no letters: %s", got)
	}
}

// Help was asked for: it is the output.
func TestHelp(t *testing.T) {
	for _, n := range []int{1, 2} {
		for rank, r := range runJob(t, n, "--help") {
			if r.status != 0 || r.err != "" || strings.HasPrefix(r.out, "usage: seqsim") != (rank == 0) {
				t.Errorf("process %d of %d: status %d, output %q, errors %q", rank, n, r.status, r.out, r.err)
			}
		}
	}
}

// What is wrong is said once, however many the processes, and all of them end.
func TestErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.fa")
	if err := os.WriteFile(bad, []byte(">x\nACGT\nAC*T\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, "bad.fa:3: '*' in column 3 is no nucleotide", []string{"humanMito.fa", bad}},
		{1, "open no-such.fa", []string{"no-such.fa", "humanMito.fa"}},
		{2, "a comparison takes 2", []string{"humanMito.fa"}},
		{2, `score "levenshtein" is none of edit, lcs, global, local`, []string{"-score", "levenshtein"}},
		{2, "at most 3 decimals", []string{"-score", "local", "-gap-open", "10.12345"}},
		{2, "is not a number", []string{"-score", "local", "-gap-open", "-1"}},
		{2, "-gap-extend 4 exceeds -gap-open 1", []string{"-score", "global", "-gap-open", "1"}},
		{2, "for global and local", []string{"-gap-open", "1"}},
		{2, "flag provided but not defined: -socre", []string{"-socre", "lcs"}},
		{2, "-pairs and -seed are for -random", []string{"-pairs", "2"}},
		{2, "either -random or files", []string{"-random", "5", "a", "b"}},
		{1, "can exceed 32-bit cells", []string{"-score", "global", "-gap-open", "999999.999"}},
	} {
		for _, n := range []int{1, 2} {
			for rank, r := range runJob(t, n, test.args...) {
				if r.status != test.status || r.out != "" {
					t.Errorf("%v: process %d of %d: status %d, output %q", test.args, rank, n, r.status, r.out)
				}
				if rank > 0 && r.err != "" || rank == 0 && (!strings.Contains(r.err, test.want) || !strings.HasPrefix(r.err, "seqsim: ")) {
					t.Errorf("%v: process %d of %d says %q", test.args, rank, n, r.err)
				}
			}
		}
	}
}
