package control

import (
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// progressPeriod is the least time between two Progress messages of a Client.
const progressPeriod = 100 * time.Millisecond

// Client is a process's connection to its launcher. Its methods are for any
// goroutine.
type Client struct {
	conn     *Conn
	messages chan Message

	mu   sync.Mutex
	last time.Time // of the last Progress
}

// Dial connects to the launcher named in j and sends [Hello].
func Dial(j Job) (*Client, error) {
	if j.Control == "" {
		return nil, fmt.Errorf("variable %s is not set: start this process with ckpgen run", EnvControl)
	}
	nc, err := net.DialTimeout("unix", j.Control, 10*time.Second)
	if err != nil {
		return nil, fmt.Errorf("connect to the launcher of this job: %w", err)
	}
	c := &Client{conn: newConn(nc), messages: make(chan Message, 16)}
	if err := c.conn.Send(Hello{Version: Version, Rank: j.Rank, Epoch: j.Epoch, PID: os.Getpid()}); err != nil {
		_ = nc.Close()
		return nil, fmt.Errorf("connect to the launcher of this job: %w", err)
	}
	go c.receive()
	return c, nil
}

func (c *Client) receive() {
	defer close(c.messages)
	for {
		m, err := c.conn.Receive()
		if err != nil {
			return
		}
		c.messages <- m
	}
}

// Messages returns what the launcher says, in order. It is closed when the
// launcher is gone, or Close was called: unless the process is ending anyhow, it must
// then exit at once with [ExitLauncherLost]. Some goroutine has to receive from it at all
// times, also while the program computes.
func (c *Client) Messages() <-chan Message { return c.messages }

// Send sends m. Its error means that the launcher is gone, or does not read any
// more, and will be seen on Messages too; most callers can ignore it.
func (c *Client) Send(m Message) error { return c.conn.Send(m) }

// Progress tells the launcher the superstep that begins. It is cheap enough to
// call in every superstep: all but ten calls a second only look at the clock.
func (c *Client) Progress(superstep uint64) {
	now := time.Now()
	c.mu.Lock()
	due := now.Sub(c.last) >= progressPeriod
	if due {
		c.last = now
	}
	c.mu.Unlock()
	if due {
		_ = c.conn.Send(Progress{Superstep: superstep})
	}
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }
