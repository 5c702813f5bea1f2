// Package stuck tells which goroutines wait for each other, as the runtime sees it.
package stuck

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A Wait is a goroutine that is blocked: State is the runtime's word for what it waits for ("sync.Mutex.Lock",
// "chan receive"), and In the end of the name of a function in its stack ("relock.(*Bad).MarkReady").
type Wait struct{ State, In string }

// Missing gives an error that names the first of waits that the goroutines of dump, a traceback, do not show, or nil.
func Missing(dump string, waits ...Wait) error {
	for _, w := range waits {
		if Count(dump, w) == 0 {
			return fmt.Errorf("no goroutine is in state %q in %s:\n%s", w.State, w.In, dump)
		}
	}
	return nil
}

// Count is the number of goroutines of dump, a traceback, that wait as w says.
func Count(dump string, w Wait) (n int) {
	for goroutine := range strings.SplitSeq(dump, "\n\n") {
		if state(goroutine) == w.State && strings.Contains(goroutine, w.In+"(") {
			n++
		}
	}
	return n
}

// state reads the first line of a goroutine's traceback, such as "goroutine 7 [chan receive (durable), 2 minutes]:".
func state(goroutine string) string {
	header, _, _ := strings.Cut(goroutine, "\n")
	_, rest, _ := strings.Cut(header, "[")
	s, _, _ := strings.Cut(rest, "]")
	s, _, _ = strings.Cut(s, ",")
	return strings.TrimSuffix(s, " (durable)")
}

// Dump gives the traceback of all goroutines, the caller's first. They stand still while it is taken.
func Dump() string {
	for buf := make([]byte, 1<<20); ; buf = make([]byte, 2*len(buf)) {
		if n := runtime.Stack(buf, true); n < len(buf) {
			return strings.TrimSpace(string(buf[:n]))
		}
	}
}

// Settle returns when no goroutine but the caller's can move by itself: all others wait for a lock, a channel, a group
// or a condition. Unlike synctest.Wait it counts mutexes. It is for programs without timers and input.
func Settle() {
	for !settled(Dump()) {
		time.Sleep(time.Millisecond)
	}
}

func settled(dump string) bool {
	for i, goroutine := range strings.Split(dump, "\n\n") {
		s := state(goroutine)
		if i > 0 && s != "select" && !strings.HasPrefix(s, "sync.") && !strings.HasPrefix(s, "chan ") {
			return false
		}
	}
	return true
}

// InBubble runs main in a bubble of testing/synctest, where time passes when all goroutines wait. It gives what the
// runtime says of goroutines that can never end, or nil when all have ended.
func InBubble(t *testing.T, main func()) (deadlock error) {
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(error)
			if !ok || !strings.HasPrefix(err.Error(), "deadlock: ") {
				panic(r)
			}
			deadlock = err
		}
	}()
	synctest.Test(t, func(*testing.T) { main() })
	return nil
}
