// Package gocommand runs the go command for the benchmarks.
package gocommand

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Environment returns that of the process without an enclosing workspace, which would change what the modules under
// measurement are built from, and without a cache program, which would answer where a cache is to be empty. What extra
// names goes on top.
func Environment(extra ...string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOCACHEPROG="), extra...)
}

// Run runs the go command in dir and returns what it printed to standard output. An exit code other than 0 is an error,
// which has what was printed to standard error.
func Run(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, Environment(env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

// Ctrllint is the package of the command that all benchmarks are about.
const Ctrllint = "github.com/ctrllint/ctrllint/cmd/ctrllint"

// Tool returns the absolute name of the ctrllint binary that a flag names, or builds one in the folder temp where it
// names none.
func Tool(ctx context.Context, named, temp string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	name := filepath.Join(temp, "ctrllint")
	_, err := Run(ctx, "", nil, "build", "-o", name, Ctrllint)
	return name, err
}
