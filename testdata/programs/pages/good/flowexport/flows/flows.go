// Package flows reads connection records of the nodes.
package flows

import (
	"context"
	"time"
)

// Record is one connection.
type Record struct {
	Src, Dst string
	Bytes    uint64
}

// Table is the kernel's table of connections.
type Table interface {
	Dump() ([]Record, error)
}

// Reader reads a Table again and again.
type Reader struct {
	table Table
	every time.Duration
	out   chan Record
}

func NewReader(t Table, every time.Duration) *Reader {
	return &Reader{table: t, every: every, out: make(chan Record)}
}

// Records is closed when Poll has come back.
func (r *Reader) Records() <-chan Record { return r.out }

// Poll sends what it reads until ctx ends.
func (r *Reader) Poll(ctx context.Context) error {
	defer close(r.out)
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for {
		records, err := r.table.Dump()
		if err != nil {
			return err
		}
		for _, rec := range records {
			select {
			case r.out <- rec:
			case <-ctx.Done():
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
