package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestBashCompletion has bash complete lines.
func TestBashCompletion(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here")
	}
	script, _, code := command(t, ".", tool, "completion", "bash")
	if code != exitClean {
		t.Fatalf("exit code %d", code)
	}
	dir := filetest.Module(t, map[string]string{"pkg/p.go": clean, "completion": script})
	for line, want := range map[string]string{
		"ctrllint -form":            "-format",
		"ctrllint -format s":        "sarif",
		"ctrllint -format h":        "html",
		"ctrllint -lockheld.i":      "-lockheld.io",
		"ctrllint expl":             "explain",
		"ctrllint explain lock":     "lockheld",
		"ctrllint pk":               "pkg",
		"ctrllint -C pk":            "pkg",
		"ctrllint -tags x":          "",
		"ctrllint completion z":     "zsh",
		"ctrllint ./... -write-bas": "-write-baseline",
	} {
		words := strings.Fields(line)
		program := `source completion; COMP_WORDS=(` + strings.Join(words, " ") + `); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _ctrllint; echo "${COMPREPLY[*]}"`
		out, stderr, _ := command(t, dir, "bash", "-c", program)
		if got := strings.TrimSpace(out); got != want || stderr != "" {
			t.Errorf("%s: %q, want %q (%s)", line, got, want, stderr)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for shell, checks := range map[string][]string{
		"zsh":  {"zsh", "-n"},
		"fish": {"fish", "--no-execute"},
		"bash": {"bash", "-n"},
	} {
		script, stderr, code := command(t, ".", tool, "completion", shell)
		if code != exitClean || stderr != "" || !strings.Contains(script, "lockheld.io") || !strings.Contains(script, "text json sarif github html junit checkstyle codequality") {
			t.Errorf("%s: exit code %d, stderr %q, script\n%s", shell, code, stderr, script)
		}
		if _, err := exec.LookPath(checks[0]); err != nil {
			continue // what the script says was checked above; that the shell reads it, where there is one
		}
		dir := filetest.Module(t, map[string]string{"script": script})
		if _, stderr, code := command(t, dir, checks[0], append(checks[1:], filepath.Join(dir, "script"))...); code != 0 {
			t.Errorf("%s does not read its script: %s", shell, stderr)
		}
	}
	if _, stderr, code := command(t, ".", tool, "completion", "sh"); code != exitFailure || !strings.Contains(stderr, "bash, zsh or fish") {
		t.Errorf("an unknown shell: exit code %d, stderr %q", code, stderr)
	}
}
