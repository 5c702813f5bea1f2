//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// hanging puts a go command first in PATH that never comes back from the calls that match a pattern of the shell. It
// leaves its process id, and that of a child for which it waits, in a file.
func hanging(t *testing.T, pattern string) (env []string, pids string) {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	pids = filepath.Join(dir, "pids")
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in\n%s)\n\tsh -c 'echo $PPID $$ >%s.new; mv %[2]s.new %[2]s; exec sleep 1000'\n\texit 1\n\t;;\nesac\nexec %s \"$@\"\n", pattern, pids, path)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")}, pids
}

// eventually reports whether ok holds before long.
func eventually(ok func() bool) bool {
	for range 1000 {
		if ok() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// A run that is stopped says so, and leaves nothing running that it has started, whatever the go command was doing.
func TestStopped(t *testing.T) {
	t.Parallel()
	cgo := "package p\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc F() int { return int(C.one()) }\n"
	for _, test := range []struct {
		name, pattern, args string
		signal              syscall.Signal
	}{
		{"workspace", "'env GOWORK'", "", syscall.SIGINT},
		{"environment", "'env -json'*", ".", syscall.SIGTERM},
		{"list", "'list '*-deps=true*", ".", syscall.SIGINT},
		{"list", "'list '*-deps=true*", ".", syscall.SIGTERM},
		{"cgo", "'list -e -compiled'*", ".", syscall.SIGINT},
		{"affected", "'list -e -tags='*", "-affected p.go", syscall.SIGTERM},
	} {
		t.Run(test.name+" "+test.signal.String(), func(t *testing.T) {
			t.Parallel()
			env, pids := hanging(t, test.pattern)
			c := checkout{dir: filetest.Module(t, map[string]string{"p.go": cgo}), cache: filepath.Join(t.TempDir(), "cache"), env: append(env, "CGO_ENABLED=1")}
			cmd := c.command(strings.Fields(test.args)...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.WaitDelay = time.Second
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			var started []int
			if !eventually(func() bool {
				text, err := os.ReadFile(pids)
				for _, field := range strings.Fields(string(text)) {
					if pid, err := strconv.Atoi(field); err == nil {
						started = append(started, pid)
					}
				}
				return err == nil
			}) {
				_ = cmd.Process.Kill()
				t.Fatalf("the go command was not called: %v, %s", <-ended, stderr.String())
			}
			t.Cleanup(func() {
				for _, pid := range started {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
			if err := cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-ended:
				if err == nil {
					t.Error("it ends as if nothing had been found")
				}
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				t.Fatal("it does not end")
			}
			if code := cmd.ProcessState.ExitCode(); code != exitFailure || stdout.String() != "" ||
				stderr.String() != "ctrllint: stopped by a signal: no results for the packages\n" {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
			}
			for _, pid := range started {
				if !eventually(func() bool { return !alive(pid) }) {
					t.Errorf("%d of %v is still running", pid, started)
				}
			}
		})
	}
}

// alive reports whether a process runs. One that has ended and was not waited for does not: nobody may wait for orphans
// in a container.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !bytes.Contains(stat, []byte(") Z "))
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || !bytes.HasPrefix(bytes.TrimSpace(state), []byte("Z"))
}
