package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// jobName is the name of the file that tells whose checkpoints lie beside it.
const jobName = "job.json"

const jobFormat = 1

// A Job is what is recorded of the job that a directory belongs to. That checkpoints are not mixed
// up is the business of epochs and fingerprints; the record is for those who confuse directories,
// or jobs.
type Job struct {
	Format    int       `json:"format"`
	Program   string    `json:"program"` // as the user named it
	Processes int       `json:"processes"`
	Args      []string  `json:"args"`
	ArgsHash  string    `json:"argsSHA256"` // of the arguments, each ended by a zero byte
	Started   time.Time `json:"started"`
	RunDir    string    `json:"runDir,omitempty"` // of the latest launcher, which removes it at its end
	Ended     *int      `json:"ended,omitempty"`  // status with which it has ended; nil: it has not, or its process was killed
}

// NewJob returns the record of a job that starts now.
func NewJob(program string, processes int, args []string) Job {
	h := sha256.New()
	for _, a := range args {
		h.Write([]byte(a))
		h.Write([]byte{0})
	}
	return Job{
		Format: jobFormat, Program: program, Processes: processes, Args: append([]string{}, args...),
		ArgsHash: hex.EncodeToString(h.Sum(nil)), Started: time.Now().UTC().Truncate(time.Second),
	}
}

// ReadJob returns the record of the job. The error matches fs.ErrNotExist if there is none.
func (s *Store) ReadJob() (Job, error) {
	name := s.path(jobName)
	b, err := os.ReadFile(name)
	if err != nil {
		return Job{}, fmt.Errorf("job file: %w", err)
	}
	var j Job
	if err := json.Unmarshal(b, &j); err != nil {
		return Job{}, fmt.Errorf("job file %s: %w", name, err)
	}
	if j.Format != jobFormat {
		return Job{}, fmt.Errorf("job file %s has format %d, this ckpgen knows %d", name, j.Format, jobFormat)
	}
	return j, nil
}

// WriteJob replaces the record of the job.
func (s *Store) WriteJob(j Job) error {
	b, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	name := s.path(jobName)
	if err := os.WriteFile(name+temporary, append(b, '\n'), 0o666); err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	if err := os.Rename(name+temporary, name); err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	return nil
}

// Continues returns the record for a job that goes on from checkpoint seq of the one that the
// directory belongs to, and reports whether that had ended well. The error is an *[OtherJobError]
// if it is another one. A record that can't be read is an error, too; that there is none is not.
func (s *Store) Continues(j Job, seq uint64) (now Job, ended bool, err error) {
	was, err := s.ReadJob()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, false, nil
	case err != nil:
		return j, false, fmt.Errorf("%w; if the job in this directory is the one you mean, delete that file, otherwise use another directory", err)
	case !slices.Equal(was.Args, j.Args):
		return j, false, &OtherJobError{s.dir, seq, was.Args}
	}
	j.Started, j.RunDir = was.Started, was.RunDir
	return j, was.Ended != nil && *was.Ended == 0, nil
}

// HadEnded tells the user of a job that goes on although it had ended.
const HadEnded = "this job had ended; it goes on from its last checkpoint, and what came after that is done again. In an empty directory it starts from the beginning"

// An OtherJobError says that the checkpoints in a directory are those of a job that was started
// otherwise.
type OtherJobError struct {
	Dir  string
	Seq  uint64   // of the newest checkpoint
	Args []string // of that job
}

// Error tells the arguments to give.
func (e *OtherJobError) Error() string {
	return fmt.Sprintf("the job in %s was started with other arguments (%s): give the same to go on from checkpoint %d, or start from the beginning in an empty directory", e.Dir, quoteArgs(e.Args), e.Seq)
}

func quoteArgs(args []string) string {
	if len(args) == 0 {
		return "none"
	}
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\") {
			fmt.Fprintf(&b, "%q", a)
		} else {
			b.WriteString(a)
		}
	}
	return b.String()
}
