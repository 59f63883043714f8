package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/store"
)

// jobName is the name of the record in a job's directory, beside those of the store.
const jobName = "job.json"

// record is what job.json says about the job whose checkpoints lie beside it.
type record struct {
	Format    int       `json:"format"`
	Program   string    `json:"program"`   // as the user named it
	Processes int       `json:"processes"` //
	Args      []string  `json:"args"`
	ArgsHash  string    `json:"argsSHA256"` // of the arguments, each ended by a zero byte
	Started   time.Time `json:"started"`
	RunDir    string    `json:"runDir,omitempty"` // of the latest launcher, which removes it at its end
	Ended     *int      `json:"ended,omitempty"`  // status of the latest launcher's job
}

func hashArgs(args []string) string {
	h := sha256.New()
	for _, a := range args {
		h.Write([]byte(a))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// directory is a job's directory, locked against other launchers.
type directory struct {
	path      string
	temporary bool
	store     *store.Store
	unlock    func()
	record    record
}

// openDirectory makes or opens the directory of s and locks it. What it
// returns is closed by close.
func openDirectory(s *Spec) (_ *directory, err error) {
	d := &directory{path: s.Dir}
	if d.path == "" {
		d.temporary = true
		if d.path, err = os.MkdirTemp("", "ckpgen-job-"); err != nil {
			return nil, fmt.Errorf("make a temporary job directory: %w", err)
		}
	} else {
		if d.path, err = filepath.Abs(d.path); err != nil {
			return nil, fmt.Errorf("job directory %s: %w", s.Dir, err)
		}
	}
	if d.unlock, err = store.Lock(d.path, "launcher "+owner()); err != nil {
		return nil, err
	}
	if d.store, err = store.Open(d.path, store.Options{Keep: s.Keep}); err != nil {
		d.unlock()
		return nil, err
	}
	return d, nil
}

// owner names this launcher, for people.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("pid %d on %s", os.Getpid(), host)
}

// committed returns the manifest of the newest committed checkpoint, which may be damaged
// otherwise. Its number is 0 if there is none.
func (d *directory) committed() (store.Manifest, error) {
	entries, _, err := d.store.History()
	if err != nil {
		return store.Manifest{}, err
	}
	for _, e := range entries {
		if e.Manifest != nil && (e.State == store.Committed || e.State == store.Damaged) {
			return *e.Manifest, nil
		}
	}
	return store.Manifest{}, nil
}

// admit compares the job with the one whose checkpoints are here, and records
// it. The result says whether a job that had ended well is being continued.
func (d *directory) admit(s *Spec) (ended bool, err error) {
	newest, err := d.committed()
	seq, size := newest.Seq, newest.Size
	if err != nil {
		return false, err
	}
	old, err := d.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) && seq > 0 && !s.Fresh {
		return false, fmt.Errorf("%w; if the job in this directory is the one you mean, delete that file, otherwise use --fresh or another --dir", err)
	}
	if err == nil {
		removeRunDir(old.RunDir)
	}
	if seq > 0 && !s.Fresh {
		if size != s.Processes {
			return false, usage("checkpoint %d in %s is of %d processes, not of %d: use -n %d to go on from there, or --fresh to start from the beginning", seq, d.path, size, s.Processes, size)
		}
		// Another program is told from its checkpoints, by its processes.
		if err == nil && old.Program == s.Program && old.ArgsHash != hashArgs(s.Args) {
			return false, usage("the job in %s was started with other arguments (%s): give the same to go on from checkpoint %d, or use --fresh to start from the beginning", d.path, quoteArgs(old.Args), seq)
		}
		ended = err == nil && old.Ended != nil && *old.Ended == 0
	}
	d.record = record{
		Format: 1, Program: s.Program, Processes: s.Processes, Args: slices.Clone(s.Args),
		ArgsHash: hashArgs(s.Args), Started: time.Now().UTC().Truncate(time.Second),
	}
	if d.record.Args == nil {
		d.record.Args = []string{}
	}
	if seq > 0 && err == nil && !s.Fresh {
		d.record.Started = old.Started
	}
	return ended, nil
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

func (d *directory) read() (record, error) {
	name := filepath.Join(d.path, jobName)
	b, err := os.ReadFile(name)
	if err != nil {
		return record{}, fmt.Errorf("job file: %w", err)
	}
	var r record
	if err := json.Unmarshal(b, &r); err != nil {
		return record{}, fmt.Errorf("job file %s: %w", name, err)
	}
	if r.Format != 1 {
		return record{}, fmt.Errorf("job file %s has format %d, this ckpgen knows 1", name, r.Format)
	}
	return r, nil
}

// save writes job.json.
func (d *directory) save() error {
	b, err := json.MarshalIndent(d.record, "", "  ")
	if err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	name := filepath.Join(d.path, jobName)
	if err := os.WriteFile(name+".tmp", append(b, '\n'), 0o666); err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		return fmt.Errorf("job file: %w", err)
	}
	return nil
}

// close records the status, frees the lock, and removes a temporary directory
// unless it is to be kept.
func (d *directory) close(status int, keep bool) {
	if d.temporary && !keep {
		d.unlock()
		_ = os.RemoveAll(d.path)
		return
	}
	if d.record.Format != 0 {
		d.record.RunDir, d.record.Ended = "", &status
		_ = d.save()
	}
	d.unlock()
}
