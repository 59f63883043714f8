// Drivers takes checkpoints in what the program registers with packages of the standard library, which call it: a driver of
// database/sql, whose goroutines and connections go on, and a format of images.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A table is the database.
type table struct {
	mu   sync.Mutex
	rows [][]driver.Value
}

func (t *table) Open(name string) (driver.Conn, error) {
	ckp.Checkpoint()
	if name == "" {
		return nil, errors.New("no name")
	}
	return &connection{table: t}, nil
}

type connection struct {
	table *table
	begun int
}

func (c *connection) Prepare(query string) (driver.Stmt, error) { return &statement{c, query}, nil }

func (c *connection) Close() error { return nil }

func (c *connection) Begin() (driver.Tx, error) {
	c.table.mu.Lock()
	defer c.table.mu.Unlock()
	c.begun = len(c.table.rows)
	ckp.Checkpoint()
	return c, nil
}

func (c *connection) Commit() error {
	ckp.Checkpoint()
	return nil
}

func (c *connection) Rollback() error {
	c.table.mu.Lock()
	defer c.table.mu.Unlock()
	ckp.Checkpoint()
	c.table.rows = c.table.rows[:c.begun]
	return nil
}

type statement struct {
	c     *connection
	query string
}

func (s *statement) Close() error { return nil }

func (s *statement) NumInput() int { return strings.Count(s.query, "?") }

func (s *statement) Exec(args []driver.Value) (driver.Result, error) {
	s.c.table.mu.Lock()
	defer s.c.table.mu.Unlock()
	ckp.Checkpoint()
	s.c.table.rows = append(s.c.table.rows, slices.Clone(args))
	return driver.RowsAffected(1), nil
}

func (s *statement) Query([]driver.Value) (driver.Rows, error) {
	if s.query != "select" {
		ckp.Checkpoint()
		return nil, fmt.Errorf("no query: %q", s.query)
	}
	s.c.table.mu.Lock()
	defer s.c.table.mu.Unlock()
	return &rows{rest: slices.Clone(s.c.table.rows)}, nil
}

type rows struct {
	rest [][]driver.Value
	read int
}

func (r *rows) Columns() []string { return []string{"number", "words", "at"} }

func (r *rows) Close() error {
	ckp.Checkpoint()
	return nil
}

func (r *rows) Next(to []driver.Value) error {
	if len(r.rest) == 0 {
		return io.EOF
	}
	if r.read++; r.read%4 == 0 {
		ckp.Checkpoint()
	}
	copy(to, r.rest[0])
	r.rest = r.rest[1:]
	return nil
}

// Words are converted to a value of the database and back.
type words []string

func (w words) Value() (driver.Value, error) {
	ckp.Checkpoint()
	return strings.Join(w, " "), nil
}

func (w *words) Scan(v any) error {
	if v == "b 6" {
		ckp.Checkpoint()
	}
	*w = strings.Fields(v.(string))
	return nil
}

func insert(to interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, ctx context.Context, n int) error {
	result, err := to.ExecContext(ctx, "insert ???", n, words{"b", fmt.Sprint(n)}, time.Unix(int64(n), 0).UTC())
	if err != nil {
		return fmt.Errorf("insert %d: %w", n, err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		return fmt.Errorf("%d rows, %w", n, err)
	}
	return nil
}

func sum(ctx context.Context, db *sql.DB) (n int64, all string, err error) {
	rows, err := db.QueryContext(ctx, "select")
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var number sql.NullInt64
		var w words
		var at time.Time
		if err := rows.Scan(&number, &w, &at); err != nil {
			return 0, "", err
		}
		n += number.Int64 * int64(1+at.Second())
		all += w[1]
	}
	return n, all, rows.Err()
}

func databases() error {
	sql.Register("table", new(table))
	db, err := sql.Open("table", "t")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for n := range 10 {
		if err := insert(db, ctx, n); err != nil {
			return err
		}
	}
	var readers sync.WaitGroup
	results := make([]string, 3)
	for i := range results {
		readers.Go(func() {
			n, all, err := sum(ctx, db)
			results[i] = fmt.Sprint(n, all, err)
		})
	}
	readers.Wait()
	fmt.Println(results)
	for _, keep := range []bool{false, true} {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := insert(tx, ctx, 100); err != nil {
			return err
		}
		if keep {
			err = tx.Commit()
		} else {
			err = tx.Rollback()
		}
		fmt.Println(err, tx.Commit())
		fmt.Println(sum(ctx, db))
	}
	_, err = db.Query("?", 1)
	fmt.Println(err)
	var n any
	var w words
	var at time.Time
	fmt.Println(db.QueryRow("select").Scan(&n, &w, &at), n, w, at)
	closed, cancel := context.WithCancel(ctx)
	cancel()
	fmt.Println(insert(db, closed, 1))
	fmt.Println(db.Close(), db.Ping())
	return nil
}

// A bitmap of digits, one a pixel, ends with its last line.
func decode(r io.Reader) (image.Image, error) {
	lines := bufio.NewScanner(r)
	lines.Scan() // what it begins with
	var pixels []byte
	height := 0
	for lines.Scan() {
		ckp.Checkpoint()
		height++
		pixels = append(pixels, lines.Bytes()...)
	}
	if height == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	g := image.NewGray(image.Rect(0, 0, len(pixels)/height, height))
	for i, c := range pixels {
		g.SetGray(i%g.Stride, i/g.Stride, color.Gray{Y: c - '0'})
	}
	return g, nil
}

func configuration(r io.Reader) (image.Config, error) {
	m, err := decode(r)
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{ColorModel: m.ColorModel(), Width: m.Bounds().Dx(), Height: m.Bounds().Dy()}, nil
}

// An early reader has less than was asked for.
type early struct{ r io.Reader }

func (e early) Read(b []byte) (int, error) {
	ckp.Checkpoint()
	return e.r.Read(b[:min(len(b), 7)])
}

func images() {
	image.RegisterFormat("digits", "digits\n", decode, configuration)
	const text = "digits\n012\n345\n"
	m, name, err := image.Decode(early{strings.NewReader(text)})
	fmt.Println(name, err, m.Bounds(), m.At(2, 1))
	c, name, err := image.DecodeConfig(strings.NewReader(text))
	fmt.Println(name, err, c.Width, c.Height)
	_, name, err = image.Decode(strings.NewReader("digits\n"))
	fmt.Println(name, err)
	_, name, err = image.Decode(early{strings.NewReader("numbers")})
	fmt.Println(name, err)
}

func main() {
	if err := databases(); err != nil {
		fmt.Println("databases:", err)
	}
	images()
}
