package progress_test

import (
	"bytes"
	"fmt"
	"regexp"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctrllint/ctrllint/internal/progress"
)

func TestLine(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration // of the run
		want  string
	}{
		{"short", 1900 * time.Millisecond, `^$`},
		{"long", 2900 * time.Millisecond, `^\rctrllint: loading, 2s\x1b\[K\r\x1b\[K$`},
		{"longer", 4500 * time.Millisecond, `^\rctrllint: loading, 2s\x1b\[K\rctrllint: analysing, 3s\x1b\[K\rctrllint: analysing, 4s\x1b\[K\r\x1b\[K$`},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b bytes.Buffer
				l := progress.Start(&b, 2*time.Second, time.Second)
				l.Phase(func() string { return "loading" })
				time.Sleep(min(test.after, 2500*time.Millisecond))
				l.Phase(func() string { return "analysing" })
				time.Sleep(test.after - min(test.after, 2500*time.Millisecond))
				l.Stop()
				if !regexp.MustCompile(test.want).Match(b.Bytes()) {
					t.Errorf("wrote %q, want %s", &b, test.want)
				}
			})
		})
	}
}

// Where nobody can see a line change, there is a new one each time.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		l := progress.Log(&b, 15*time.Second, 15*time.Second)
		l.Phase(func() string { return "loading" })
		time.Sleep(16 * time.Second)
		l.Phase(func() string { return "analysing" })
		time.Sleep(15 * time.Second)
		l.Stop()
		if want := "ctrllint: loading, 15s\nctrllint: analysing, 30s\n"; b.String() != want {
			t.Errorf("wrote %q, want %q", &b, want)
		}
	})
}

// A line says how far a phase is when it is written, and not how far it was when it began.
func TestCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		l := progress.Log(&b, time.Second, time.Second)
		var done atomic.Int64
		l.Phase(func() string { return fmt.Sprintf("%d done", done.Load()) })
		time.Sleep(1500 * time.Millisecond)
		done.Store(7)
		time.Sleep(time.Second)
		l.Stop()
		if want := "ctrllint: 0 done, 1s\nctrllint: 7 done, 2s\n"; b.String() != want {
			t.Errorf("wrote %q, want %q", &b, want)
		}
	})
}

func TestNil(*testing.T) {
	var l *progress.Line
	l.Phase(func() string { return "loading" })
	l.Stop()
}
