// Package measure runs commands and tells what they took.
package measure

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// Cost is what one run took. The processes that the command started and waited for count like the command itself.
type Cost struct {
	CPU  time.Duration // user and system, of all processes
	Wall time.Duration
	Peak int64 // KiB of resident memory of the largest single process; not the sum of those that ran at once
	Exit int
}

// Output is what a run printed.
type Output struct{ Stdout, Stderr []byte }

// Run runs cmd. An exit code is a result and no error; that the command did not start, or was killed, is an error.
//
// A new process begins as one that shares its parent's memory, and the system counts that: no peak is below the memory
// of the process that calls Run.
func Run(cmd *exec.Cmd) (Cost, Output, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 10 * time.Second // for children that outlive a command which was killed
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	out := Output{stdout.Bytes(), stderr.Bytes()}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || !exit.Exited()) {
		return Cost{}, out, fmt.Errorf("%s: %w\n%s", cmd.Path, err, out.Stderr)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return Cost{}, out, errors.New("the system does not tell what a process used")
	}
	// The usage of a process that was waited for includes the children that it has waited for itself.
	return Cost{
		CPU:  cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		Wall: wall,
		Peak: usage.Maxrss,
		Exit: cmd.ProcessState.ExitCode(),
	}, out, nil
}

// Median returns the run with the median CPU time, with the highest of all peaks.
func Median(costs []Cost) Cost {
	costs = slices.Clone(costs)
	slices.SortFunc(costs, func(a, b Cost) int { return int(a.CPU - b.CPU) })
	m := costs[len(costs)/2]
	for _, c := range costs {
		m.Peak = max(m.Peak, c.Peak)
	}
	return m
}
