package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// The scores of alignments are those of EMBOSS, for related sequences with gaps of all lengths
// and with letters that stand for several bases.
func TestAgainstEMBOSS(t *testing.T) {
	for _, program := range []string{"stretcher", "water"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("EMBOSS is not installed: %v", err)
		}
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 12 {
		a := randomSequence(rng, rng.IntN(600)+1)
		b := relative(rng, a)
		write := func(name string, seq []byte) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(">"+name+"\n"+decode(seq)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		pathA, pathB := write("a", a), write("b", b)
		for _, test := range []struct {
			criterion    criterion
			program      string
			open, extend penalty
		}{
			{globalAlignment, "stretcher", 16 * unit, 4 * unit},
			{globalAlignment, "stretcher", 5 * unit, 1 * unit},
			{localAlignment, "water", 10 * unit, unit / 2},
			{localAlignment, "water", 3 * unit, unit / 10},
		} {
			s := mustScore(t, test.open, test.extend, a, b)
			got, err := strconv.ParseFloat(sequential(test.criterion, s, a, b, 3, 50), 64)
			if err != nil {
				t.Fatal(err)
			}
			if want := emboss(t, test.program, pathA, pathB, test.open, test.extend); fmt.Sprintf("%.1f", got) != fmt.Sprintf("%.1f", want) {
				t.Errorf("trial %d, %s %v/%v: %v, but %v by %s\n%s\n%s", trial, test.criterion, test.open, test.extend, got, want, test.program, decode(a), decode(b))
			}
		}
	}
}

// emboss is the score that a program of EMBOSS gives.
func emboss(t *testing.T, program, a, b string, open, extend penalty) float64 {
	t.Helper()
	out, err := exec.Command(program, "-auto", "-stdout", "-snucleotide1", "-snucleotide2", "-datafile", "EDNAFULL",
		"-asequence", a, "-bsequence", b, "-gapopen", open.String(), "-gapextend", extend.String()).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	found := regexp.MustCompile(`# Score: (\S+)`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("%s gives no score:\n%s", program, out)
	}
	score, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

// randomSequence has bases, and a few letters that stand for several.
func randomSequence(rng *rand.Rand, length int) []byte {
	seq := make([]byte, length)
	for i := range seq {
		seq[i] = byte(rng.IntN(4))
		if rng.IntN(15) == 0 {
			seq[i] = byte(rng.IntN(codes))
		}
	}
	return seq
}

// relative is a sequence with substitutions, insertions, deletions, and replaced stretches.
func relative(rng *rand.Rand, a []byte) []byte {
	var b []byte
	for i := 0; i < len(a); i++ {
		switch rng.IntN(40) {
		case 0:
			b = append(b, byte(rng.IntN(4)))
		case 1:
			b = append(b, randomSequence(rng, rng.IntN(30))...)
		case 2:
			i += rng.IntN(30)
		case 3:
			b = append(b, randomSequence(rng, rng.IntN(30))...)
			i += rng.IntN(30)
		default:
			b = append(b, a[i])
		}
	}
	if len(b) == 0 {
		return randomSequence(rng, 1)
	}
	return b
}
