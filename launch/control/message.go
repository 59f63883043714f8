package control

// Version is that of the protocol, said in [Hello].
const Version = 1

// Message is one of the message types of this package, by value.
type Message interface{ kind() string }

// Messages from a process to its launcher.
type (
	// Hello is the first message on a connection.
	Hello struct {
		Version int    `json:"version"`
		Rank    int    `json:"rank"`
		Epoch   uint64 `json:"epoch"`
		PID     int    `json:"pid"`
	}

	// Progress says which superstep the process begins.
	Progress struct {
		Superstep uint64 `json:"superstep"`
	}

	// Committed says that a checkpoint of all processes is committed. Process 0
	// sends it.
	Committed struct {
		Seq       uint64 `json:"seq"`
		Bytes     int64  `json:"bytes"`  // of all processes together
		Millis    int64  `json:"millis"` // from the decision to the commit
		Superstep uint64 `json:"superstep"`
	}

	// Restored says that this process computes: its state is that of
	// checkpoint Seq, or, with Seq 0, the program was started from its beginning.
	Restored struct {
		Seq       uint64 `json:"seq"`
		Millis    int64  `json:"millis"` // reading and rebuilding
		Superstep uint64 `json:"superstep"`
	}

	// Suspect says that process By takes process Rank for dead.
	Suspect struct {
		Rank int    `json:"rank"`
		By   int    `json:"by"`
		Why  string `json:"why"`
	}

	// Elected says that process Rank coordinates the change to Epoch. The
	// coordinator itself sends it.
	Elected struct {
		Rank  int    `json:"rank"`
		Epoch uint64 `json:"epoch"`
	}

	// Restart asks the launcher for a new incarnation of the job. The sender
	// has claimed Epoch in the store and found checkpoint Restore intact (0: there is
	// none, start from the beginning). Dead names the processes whose death
	// is the reason; without any it is a planned restart and no failure.
	Restart struct {
		Epoch   uint64 `json:"epoch"`
		Dead    []int  `json:"dead"`
		Restore uint64 `json:"restore"`
	}

	// Fatal tells why the process is about to exit nonzero.
	Fatal struct {
		Text string `json:"text"`
	}
)

// Messages from the launcher to a process.
type (
	// Checkpoint asks for a checkpoint at the next opportunity.
	Checkpoint struct{}

	// Stop asks for a checkpoint at the next opportunity and then the end of
	// the process with [ExitStopped]. It may be sent several times.
	Stop struct{}

	// Died says that the process with number Rank of this incarnation has
	// ended. Status is its exit status, or 128 plus the number of the signal
	// that killed it. With [ExitStopped] it checkpointed and stopped, which is no failure; nor is
	// 0, unless the receiver still needs it. Of processes that stood down nothing is said.
	Died struct {
		Rank   int `json:"rank"`
		Status int `json:"status"`
	}
)

func (Hello) kind() string      { return "hello" }
func (Progress) kind() string   { return "progress" }
func (Committed) kind() string  { return "committed" }
func (Restored) kind() string   { return "restored" }
func (Suspect) kind() string    { return "suspect" }
func (Elected) kind() string    { return "elected" }
func (Restart) kind() string    { return "restart" }
func (Fatal) kind() string      { return "fatal" }
func (Checkpoint) kind() string { return "checkpoint" }
func (Stop) kind() string       { return "stop" }
func (Died) kind() string       { return "died" }
