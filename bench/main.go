// Command bench compares what ctrllint and staticcheck cost on one module: CPU seconds (user and system, children
// included) and the peak of resident memory.
//
//	bench [flags] DIR
//
// They run on ./... of DIR, one after the other. What both need and neither should pay for, the export data of all
// packages, is made first. staticcheck starts with an empty cache each time, as ctrllint keeps none. It runs twice: as
// it comes, which includes tests, and without them, which is what ctrllint does.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctrllint := flag.String("ctrllint", "bin/ctrllint", "the ctrllint `binary`")
	staticcheck := flag.String("staticcheck", "bin/staticcheck", "the staticcheck `binary`")
	runs := flag.Int("runs", 1, "how often each runs; the median is printed")
	flag.Parse()
	if flag.NArg() != 1 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [flags] DIR")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := bench(flag.Arg(0), *ctrllint, *staticcheck, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// cost is what one run took.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // KiB; the largest single process, not the sum
	exit      int
}

func bench(dir, ctrllint, staticcheck string, runs int) error {
	tools := []struct {
		name, path string
		args       []string
		costs      []cost
	}{
		{name: "ctrllint", path: ctrllint, args: []string{"./..."}},
		{name: "staticcheck", path: staticcheck, args: []string{"./..."}},
		{name: "staticcheck -tests=false", path: staticcheck, args: []string{"-tests=false", "./..."}},
	}
	for i := range tools {
		path, err := filepath.Abs(tools[i].path)
		if err != nil {
			return err
		}
		tools[i].path = path
	}

	fmt.Println("compiling", dir)
	// Packages that do not compile are skipped: both tools then say so.
	if _, err := run(dir, nil, "go", "list", "-e", "-export", "-deps", "-test", "./..."); err != nil {
		return err
	}
	for range runs {
		for i := range tools {
			cache, err := os.MkdirTemp("", "bench")
			if err != nil {
				return err
			}
			c, err := run(dir, []string{"STATICCHECK_CACHE=" + cache}, tools[i].path, tools[i].args...)
			if err := errors.Join(err, os.RemoveAll(cache)); err != nil {
				return err
			}
			tools[i].costs = append(tools[i].costs, c)
		}
	}

	fmt.Printf("%-24s %10s %10s %10s %6s\n", "median of "+fmt.Sprint(runs), "CPU s", "wall s", "peak MiB", "exit")
	ours := median(tools[0].costs)
	for _, t := range tools {
		m := median(t.costs)
		fmt.Printf("%-24s %10.2f %10.2f %10d %6d", t.name, m.cpu.Seconds(), m.wall.Seconds(), m.peak/1024, m.exit)
		fmt.Printf("   ctrllint: 1/%.1f of the CPU, %.2f times the peak\n",
			m.cpu.Seconds()/ours.cpu.Seconds(), float64(ours.peak)/float64(m.peak))
	}
	return nil
}

// run measures a command with its children. An exit code that says "findings" or "some packages failed" is a result.
func run(dir string, env []string, name string, args ...string) (cost, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return cost{}, err
	}
	state := cmd.ProcessState
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return cost{}, fmt.Errorf("%s: the system does not tell what it used", name)
	}
	// The usage of a process that was waited for includes the children that it has waited for itself.
	return cost{
		cpu:  state.UserTime() + state.SystemTime(),
		wall: time.Since(start),
		peak: usage.Maxrss,
		exit: state.ExitCode(),
	}, nil
}

// median gives the run with the median CPU time, with the highest of all peaks.
func median(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu - b.cpu) })
	m := costs[len(costs)/2]
	for _, c := range costs {
		m.peak = max(m.peak, c.peak)
	}
	return m
}
