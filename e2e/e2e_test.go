//go:build e2e

// Package e2e drives ctrllint with the real tools, as somebody would who has just found it. `make e2e` runs it: it needs
// git and pre-commit, looks at the HTML report with Chromium or Chrome where there is one, takes golangci-lint from
// GOLANGCI_LINT, and builds the rest.
package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The programs under test, built once.
var (
	root     string // of the repository
	ctrllint string
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "e2e")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		root, err = filepath.Abs("..")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		ctrllint = filepath.Join(dir, "ctrllint")
		build := exec.Command("go", "build", "-o", ctrllint, "./cmd/ctrllint")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// The parts of a small program with one bug: get takes the lock that its caller holds.
const (
	bug = `package store

import "sync"

type Store struct {
	mu    sync.Mutex
	items map[string]int
}

func (s *Store) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[key]
}

func (s *Store) Double(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 2 * s.get(key)
}
`
	// busy has a fix: a return in the place of the break.
	busy = `package loop

import "context"

func Run(ctx context.Context, jobs <-chan int, do func(int)) {
	for {
		select {
		case <-ctx.Done():
			break
		case j := <-jobs:
			do(j)
		}
	}
}

func Start(ctx context.Context, jobs, done chan int, do func(int)) {
	go func() {
		defer close(done)
		Run(ctx, jobs, do)
	}()
}
`
	clean = "package clean\n\n// Answer is one.\nconst Answer = 42\n"
)

// nolint is bug with a comment that silences it.
var nolint = strings.Replace(bug, "return 2 * s.get(key)", "return 2 * s.get(key) //nolint:lockheld // tried out", 1)

// result is what a program did.
type result struct {
	out  string // standard output and error
	code int
}

// run runs a program in dir, with env beside the environment of the test.
func run(t *testing.T, dir string, env []string, name string, args ...string) result {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"GOWORK=off"}, env...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return result{out.String(), cmd.ProcessState.ExitCode()}
}

// must is run for what is only a step on the way.
func must(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	r := run(t, dir, env, name, args...)
	if r.code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s", name, strings.Join(args, " "), r.code, r.out)
	}
	return r.out
}

// wants fails t unless r has the exit code and each of the texts, and none of those that begin with "!".
func (r result) wants(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\n%s", r.code, code, r.out)
	}
	for _, text := range texts {
		without, absent := strings.CutPrefix(text, "!")
		if strings.Contains(r.out, without) == absent {
			t.Errorf("want %q in\n%s", text, r.out)
		}
	}
}
