// Package progress tells people that a long run is under way: at a terminal in one line that changes, elsewhere, as
// in the log of a CI job, in a line from time to time.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A Line is the last line of a terminal, which is written again and again. A nil Line writes nothing.
type Line struct {
	done    chan struct{}
	stopped sync.WaitGroup

	mu    sync.Mutex
	phase func() string
}

// Start writes a line to w from delay on, and then each interval, until Stop: the phase, and the time that has gone.
// The terminal is expected to know ANSI's sequence that erases the rest of a line.
func Start(w io.Writer, delay, interval time.Duration) *Line {
	return start(w, delay, interval, "\rctrllint: %s, %ds\x1b[K", "\r\x1b[K")
}

// Log is Start for a w that is no terminal: each time the line is a new one, and Stop takes none away.
func Log(w io.Writer, delay, interval time.Duration) *Line {
	return start(w, delay, interval, "ctrllint: %s, %ds\n", "")
}

func start(w io.Writer, delay, interval time.Duration, format, end string) *Line {
	l := &Line{done: make(chan struct{})}
	begin := time.Now()
	l.stopped.Go(func() {
		select {
		case <-l.done:
			return
		case <-time.After(delay):
		}
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			l.mu.Lock()
			phase := l.phase
			l.mu.Unlock()
			if phase == nil {
				phase = func() string { return "starting" }
			}
			fmt.Fprintf(w, format, phase(), int(time.Since(begin).Seconds()))
			select {
			case <-l.done:
				fmt.Fprint(w, end)
				return
			case <-tick.C:
			}
		}
	})
	return l
}

// Phase says what the run does now. It is asked each time that the line is written, by another goroutine.
func (l *Line) Phase(what func() string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase = what
}

// Stop takes the line away. Nothing is written afterwards.
func (l *Line) Stop() {
	if l == nil {
		return
	}
	close(l.done)
	l.stopped.Wait()
}
