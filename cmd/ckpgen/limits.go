package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Values of flags. Not all that their types can hold mean something; the errors tell which do. What
// a flag is if it is not given may be something else, such as 0 for none.

// A number is one from least.
type number struct {
	to    *int
	least int
	all   bool // -1 is one, too
}

func (n *number) String() string {
	if n.to == nil { // pflag asks an empty one for what is nothing
		return "0"
	}
	return strconv.Itoa(*n.to)
}

func (n *number) Type() string { return "int" }

func (n *number) Set(s string) error {
	i, err := strconv.Atoi(s)
	switch {
	case err == nil && (i >= n.least || n.all && i == -1):
	case n.all:
		return fmt.Errorf("neither a number from %d nor -1", n.least)
	default:
		return fmt.Errorf("not a number from %d", n.least)
	}
	*n.to = i
	return nil
}

// A duration is not negative.
type duration struct{ to *time.Duration }

func (d *duration) String() string {
	if d.to == nil {
		return "0s"
	}
	return d.to.String()
}

func (d *duration) Type() string { return "duration" }

func (d *duration) Set(s string) error {
	t, err := time.ParseDuration(s)
	if err != nil || t < 0 {
		return errors.New("not a duration such as 60s, 5m or 0")
	}
	*d.to = t
	return nil
}

// A folder has a name.
type folder struct{ to *string }

func (f *folder) String() string {
	if f.to == nil {
		return ""
	}
	return *f.to
}

func (f *folder) Type() string { return "string" }

func (f *folder) Set(s string) error {
	if s == "" {
		return errors.New("the name of a directory is not empty")
	}
	*f.to = s
	return nil
}

// A choice is one of some words.
type choice struct {
	to    *string
	words []string
}

func (c *choice) String() string {
	if c.to == nil {
		return ""
	}
	return *c.to
}

func (c *choice) Type() string { return strings.Join(c.words, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("neither %s", strings.Join(c.words, " nor "))
	}
	*c.to = s
	return nil
}
