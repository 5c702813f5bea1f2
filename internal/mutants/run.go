package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// An outcome is what the tests of one package said.
type outcome struct {
	failed bool
	hung   bool     // they did not end, and were stopped
	tests  []string // those that failed, subtests left out
	output string
}

// event is what of `go test -json` matters here.
type event struct {
	Action      string
	Test        string
	Output      string
	FailedBuild string
}

// lab runs tests of the module at root.
type lab struct {
	root    string
	timeout string // of the tests of one package, as go test takes it
	temp    string // a folder for overlays
}

// kill runs the tests of m one package after the other, until one of them fails, and says which. It is empty if the
// mutant lives. A mutant whose text is not in its file exactly once, or that does not compile, is an error.
func (l *lab) kill(ctx context.Context, m *Mutant) (pkg string, o outcome, err error) {
	text, err := m.Mutated(l.root)
	if err != nil {
		return "", o, err
	}
	file := filepath.Join(l.temp, "mutant.go")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return "", o, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(l.root, filepath.FromSlash(m.File)): file}})
	if err != nil {
		return "", o, err
	}
	name := filepath.Join(l.temp, "overlay.json")
	if err := os.WriteFile(name, overlay, 0o644); err != nil {
		return "", o, err
	}
	for _, pkg := range m.Tests {
		o, err := l.test(ctx, pkg, "-overlay="+name)
		if err != nil {
			return "", o, fmt.Errorf("%s: %w", m.Name, err)
		}
		if o.failed {
			return pkg, o, nil
		}
	}
	return "", o, nil
}

// test runs the tests of one package below the root. That they do not build is an error.
func (l *lab) test(ctx context.Context, pkg string, flags ...string) (outcome, error) {
	// What the go command's own vet says of a mutant is no test of ours.
	args := append([]string{"test", "-json", "-vet=off", "-failfast", "-timeout", l.timeout}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+pkg)...)
	cmd.Dir, cmd.Env = l.root, gocommand.Environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return outcome{}, err
	}
	o, build := read(out)
	if build != "" || err != nil && !o.failed {
		return o, fmt.Errorf("the tests of %s do not run: %s\n%s%s", pkg, build, o.output, stderr.Bytes())
	}
	return o, nil
}

// read takes up what `go test -json` printed; build is the package that could not be built, if any.
func read(out []byte) (o outcome, build string) {
	var text strings.Builder
	for line := range bytes.Lines(out) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			text.Write(line) // of the go command itself
			continue
		}
		text.WriteString(e.Output)
		if strings.HasPrefix(e.Output, "panic: test timed out") {
			o.hung = true
		}
		switch {
		case e.Action == "build-fail", e.FailedBuild != "":
			build = e.FailedBuild
			if build == "" {
				build = "it does not build"
			}
		case e.Action == "fail" && e.Test == "":
			o.failed = true
		case e.Action == "fail" && !strings.Contains(e.Test, "/"):
			o.tests = append(o.tests, e.Test)
		}
	}
	o.output = text.String()
	return o, build
}
