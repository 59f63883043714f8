package control

import (
	"fmt"
	"net"
	"sync"
	"time"
)

// sendTimeout bounds how long a message may wait for a peer that does not
// read. A process must not stand still because its launcher does.
const sendTimeout = 10 * time.Second

// Conn is one side of a connection. Send is for any goroutine, Receive for one
// at a time.
type Conn struct {
	conn net.Conn
	in   reader

	mu  sync.Mutex // serialises Send
	err error      // first error of Send: a line may have been cut, nothing may follow it
}

func newConn(c net.Conn) *Conn { return &Conn{conn: c, in: newReader(c)} }

// Send writes m. After an error the connection takes no more messages.
func (c *Conn) Send(m Message) error {
	line, err := encode(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(sendTimeout))
	if _, err := c.conn.Write(line); err != nil {
		c.err = fmt.Errorf("send control message %s: %w", m.kind(), err)
		return c.err
	}
	return nil
}

// Receive returns the next message. It gives io.EOF when the other side closed
// the connection between two messages; any error ends the connection.
func (c *Conn) Receive() (Message, error) { return c.in.next() }

// Close closes the connection. A Receive that waits returns an error.
func (c *Conn) Close() error { return c.conn.Close() }
