package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Runner executes programs as Go. They are built once, into one binary.
type Runner struct{ binary string }

// Run is what became of one program in some runs of one process.
type Run int

// A program ends, or hangs as the runtime sees it: all goroutines are asleep.
const (
	RunEnds Run = iota + 1
	RunHangs
)

const runnerMain = `package main

import (
	"os"
	"strconv"

%s)

var programs = []func(){
%s}

func main() {
	program, _ := strconv.Atoi(os.Args[1])
	times, _ := strconv.Atoi(os.Args[2])
	for range times {
		programs[program]()
	}
}
`

// NewRunner builds programs in folder dir, which it fills. An error is that of the go command.
func NewRunner(dir string, programs []*Program) (*Runner, error) {
	var imports, list strings.Builder
	for i, p := range programs {
		name := fmt.Sprintf("p%d", i)
		fmt.Fprintf(&imports, "\t%q\n", "example.com/run/"+name)
		fmt.Fprintf(&list, "\t%s.Run,\n", name)
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name, "p.go"), []byte(Emit(p, Form{Package: name, Pauses: true}).Source), 0o644); err != nil {
			return nil, err
		}
	}
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/run\n\ngo 1.25\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, runnerMain, imports.String(), list.String()), 0o644),
	)
	if err != nil {
		return nil, err
	}
	r := &Runner{filepath.Join(dir, "runner")}
	cmd := exec.Command("go", "build", "-o", r.binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return r, nil
}

// Run runs program i the given number of times in one process with GOMAXPROCS procs. It hangs where the runtime says that
// all goroutines are asleep. An error is any other failure, that of ctx, or that the process has not ended after runLimit:
// such a program spins, which none does that is generated.
func (r *Runner) Run(ctx context.Context, i, procs, times int) (Run, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, runLimit, fmt.Errorf("it did not end in %v", runLimit))
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary, fmt.Sprint(i), fmt.Sprint(times))
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", procs))
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return RunEnds, nil
	case bytes.Contains(out, []byte("all goroutines are asleep")):
		return RunHangs, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return 0, fmt.Errorf("%w\n%s", err, out)
}

// runLimit is far more than any run of a generated program takes, on a busy machine, too: one takes milliseconds.
const runLimit = 5 * time.Minute

// Contradicts says how a run contradicts the exploration x of the same program; "" where it does not. Of a program whose
// runs hang for some goroutine that Run does not wait for, nothing can be said.
func (x *Exploration) Contradicts(r Run) string {
	waited := false // something that Run waits for hangs in some schedule
	for _, w := range x.stuck {
		for g := range w.gs {
			waited = waited || w.running(g) && !w.gs[g].spawn
		}
	}
	switch {
	case r == RunHangs && !waited:
		return "it hangs, and no schedule does"
	case r == RunEnds && !x.Ends:
		return "it ends, and no schedule does"
	}
	return ""
}
