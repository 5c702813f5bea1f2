//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// A file that is saved while the run goes on, here by the C compiler that a later package needs, is left as it was
// saved. So it is where the findings come out of the cache: the bytes that they belong to are those that the run has
// compared.
func TestFixEditedMeanwhile(t *testing.T) {
	t.Parallel()
	editedMeanwhile(t, []bool{true}, "-fix")
}

func TestExhaustiveFixEditedMeanwhile(t *testing.T) {
	t.Parallel()
	editedMeanwhile(t, []bool{false, true}, "-fix", "-diff")
}

// editedMeanwhile has a file saved during runs with each of the flags, which find it in the cache or not, and then
// one without that. Each run waits for the C compiler.
func editedMeanwhile(t *testing.T, inCache []bool, flags ...string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	dir := filetest.Module(t, map[string]string{"loop/loop.go": busyLoop})
	name := filepath.Join(dir, "loop", "loop.go")
	edited := "// Package loop was edited meanwhile.\n" + busyLoop
	filetest.Write(t, dir, map[string]string{"saved.txt": edited})
	wrapper := filepath.Join(t.TempDir(), "cc")
	script := fmt.Sprintf("#!/bin/sh\ncase \"$SAVE $*\" in yes*cgo-gcc-input*) cat %s > %s ;; esac\nexec %s \"$@\"\n", filepath.Join(dir, "saved.txt"), name, cc)
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	runs := 0
	run := func(save string, args ...string) (string, int) {
		runs++ // cgo calls the compiler for what it has not seen yet, and only when the package that user imports is done
		filetest.Write(t, dir, map[string]string{
			"user/user.go": fmt.Sprintf("package user\n\n// // Run %d in %s.\n// int one(void) { return 1; }\nimport \"C\"\n\nimport _ \"example.com/m/loop\"\n\nfunc F() int { return int(C.one()) }\n", runs, dir),
		})
		cmd := exec.Command(tool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=1", "CC="+wrapper, "SAVE="+save, cacheVariable+"="+filepath.Join(filepath.Dir(wrapper), "cache"))
		var errs strings.Builder
		cmd.Stderr = &errs
		_ = cmd.Run() // the exit code is looked at
		return unsummed(errs.String()), cmd.ProcessState.ExitCode()
	}
	const refused = "ctrllint: nothing fixed\nctrllint: loop/loop.go: not fixed: the file has changed since it was analysed: run again\n"
	for _, cached := range inCache {
		if err := os.WriteFile(name, []byte(busyLoop), 0o644); err != nil {
			t.Fatal(err)
		}
		if cached {
			if stderr, code := run(""); code != exitFindings || stderr != "" {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
		}
		for _, flag := range flags {
			if err := os.WriteFile(name, []byte(busyLoop), 0o644); err != nil {
				t.Fatal(err)
			}
			if stderr, code := run("yes", flag, "./..."); code != exitFailure || stderr != refused {
				t.Errorf("cached %t, %s: exit code %d, stderr %q, want %q", cached, flag, code, stderr, refused)
			}
			if got := read(t, dir, "loop/loop.go"); got != edited {
				t.Errorf("cached %t, %s: the file is %q, want %q", cached, flag, got, edited)
			}
		}
	}
	if stderr, code := run("", "-fix"); code != exitClean || stderr != "ctrllint: 1 finding fixed in 1 file\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if got, want := read(t, dir, "loop/loop.go"), strings.Replace(edited, "break", "return", 1); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}
