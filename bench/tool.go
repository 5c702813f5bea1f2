package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// A tool is a command line in front of the packages.
type tool struct {
	name    string
	path    string // of the binary
	pkg     string // which the go command builds it from, where there is no path
	args    []string
	noTests string // the flag that leaves out tests; those who have none leave them out
}

var (
	ctrllint    = &tool{name: "ctrllint", pkg: "./cmd/ctrllint"}
	staticcheck = &tool{name: "staticcheck", pkg: "honnef.co/go/tools/cmd/staticcheck", noTests: "-tests=false"}
	// The linters that it runs by default, whatever the module's own settings say. Caps on issues would leave it to chance which are shown.
	golangci = &tool{name: "golangci-lint", noTests: "--tests=false", args: []string{"run", "--no-config", "--allow-parallel-runners",
		"--show-stats=false", "--max-issues-per-linter=0", "--max-same-issues=0"}}
)

// find makes the path of t absolute, and builds the binary if there is none.
func (t *tool) find(ctx context.Context, root, temp string) (err error) {
	switch {
	case t.path == "":
		t.path = filepath.Join(temp, t.name)
		_, err = gocommand.Run(ctx, root, nil, "build", "-o", t.path, t.pkg)
		return err
	case filepath.Base(t.path) == t.path:
		t.path, err = exec.LookPath(t.path)
		return err
	}
	if t.path, err = filepath.Abs(t.path); err != nil {
		return err
	}
	_, err = os.Stat(t.path)
	return err
}

// command is the tool's command line for all packages of a module.
func (t *tool) command(tests bool) []string {
	argv := append([]string{t.path}, t.args...)
	if t.noTests != "" && !tests {
		argv = append(argv, t.noTests)
	}
	return append(argv, "./...")
}

// version is what the binary says it is, for the caption.
func (t *tool) version(ctx context.Context) (string, error) {
	arg := []string{"-version"}
	if t == golangci {
		arg = []string{"version", "--short"}
	}
	out, err := exec.CommandContext(ctx, t.path, arg...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", t.path, arg, errors.Join(err, ctx.Err()))
	}
	return strings.TrimSpace(string(out)), nil
}
