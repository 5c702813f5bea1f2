// Alive runs a command, and says that it still runs whenever it has written nothing for a while: who waits for a build of minutes, at
// a terminal or before the log of a CI job, sees that something happens. What the command writes, and its exit code, are passed on.
//
//	go run ./internal/alive [-every 15s] command args...
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ctrllint/ctrllint/internal/subprocess"
)

func main() {
	every := flag.Duration("every", 15*time.Second, "how long it may be silent")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: alive [-every 15s] command args...")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, flag.Args(), *every, os.Stdout, os.Stderr))
}

// run runs the command until it ends, or ctx does, and returns its exit code.
func run(ctx context.Context, command []string, every time.Duration, stdout, stderr io.Writer) int {
	s := &shared{begin: time.Now(), last: time.Now()}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = writer{s, stdout}, writer{s, stderr}
	subprocess.EndWithChildren(cmd)
	done := make(chan struct{})
	var told sync.WaitGroup
	told.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(s.left(every)):
				s.tell(stderr, strings.Join(command, " "), every)
			}
		}
	})
	err := cmd.Run()
	close(done)
	told.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintf(stderr, "alive: %v\n", err)
	return 1
}

// shared is when something was written last.
type shared struct {
	mu          sync.Mutex
	begin, last time.Time
}

// left returns how long there may be silence from now on.
func (s *shared) left(every time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(time.Until(s.last.Add(every)), time.Millisecond)
}

// tell says that the command runs, if it has been silent for so long.
func (s *shared) tell(w io.Writer, command string, every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.last) >= every {
		s.last = now
		const most = 60
		if len(command) > most {
			command = command[:most] + "…"
		}
		fmt.Fprintf(w, "… %s: %d s\n", command, int(now.Sub(s.begin).Seconds()))
	}
}

// writer is an output of the command.
type writer struct {
	s *shared
	w io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.last = time.Now()
	return w.w.Write(p)
}
