package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/filetest"
)

// What init writes changes nothing, and each line of it is right when it is no comment any more.
func TestSettingsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".ctrllint.yml")
	load := func(content string) *config.File {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := config.Load(name, analyzers.All())
		if err != nil {
			t.Fatalf("%v, in\n%s", err, content)
		}
		return f
	}
	if f := load(settingsFile); len(f.Flags) > 0 {
		t.Errorf("the file sets %+v", f.Flags)
	}
	all := regexp.MustCompile(`(?m)^#(\S|  )`).ReplaceAllString(settingsFile, "$1")
	for _, either := range []string{"enable", "disable"} { // one of them, or the other
		f := load(regexp.MustCompile(`(?m)^`+either+`:.*\n`).ReplaceAllString(all, ""))
		if len(f.Flags) < 10 {
			t.Errorf("all keys together set %+v", f.Flags)
		}
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": deadlock})
	stdout, stderr, code := command(t, dir, tool, "init")
	if code != exitClean || stderr != "" || !strings.HasPrefix(stdout, ".ctrllint.yml is written") || !strings.Contains(stdout, "-write-baseline") || !strings.Contains(stdout, "rev: main") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if _, _, code := command(t, dir, tool, "./..."); code != exitFindings {
		t.Errorf("with the settings of init, the exit code is %d", code)
	}
	before := read(t, dir, ".ctrllint.yml")
	for _, test := range []struct{ args, want string }{
		{"init", "is there already"},
		{"init -baseline", "is there already"},
		{"init ./...", "init takes no packages"},
		{"init -nope", "init takes -C and -baseline"},
		{"init -C nowhere", "there is no go.mod here"},
	} {
		if stdout, stderr, code := command(t, dir, tool, strings.Fields(test.args)...); code != exitFailure || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q", test.args, code, stdout, stderr, test.want)
		}
	}
	if got := read(t, dir, ".ctrllint.yml"); got != before {
		t.Errorf("the settings were changed: %s", got)
	}
}

// With a baseline, the next run finds nothing.
func TestInitBaseline(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": deadlock})
	if _, stderr, code := command(t, dir, tool, "init", "-baseline"); code != exitClean || !strings.Contains(stderr, "1 finding written to "+baselineName) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if stdout, stderr, code := command(t, dir, tool, "./..."); code != exitClean || stdout != "" || stderr != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	// What is fixed is taken out of the baseline.
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := command(t, dir, tool, "-write-baseline", "./..."); code != exitClean || !strings.Contains(stderr, "1 entry removed") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if err := os.Remove(filepath.Join(dir, ".ctrllint.yml")); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := command(t, dir, tool, "init", "-baseline"); code != exitFailure || !strings.Contains(stderr, "is there already") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	broken := filetest.Module(t, map[string]string{"main.go": "package main\n\nvar x int = \"\"\n"})
	if _, stderr, code := command(t, broken, tool, "init", "-baseline"); code != exitFailure || !strings.Contains(stderr, "no settings are written") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(broken, ".ctrllint.yml")); err == nil {
		t.Error("settings were written for what could not be analysed")
	}
	if _, err := os.Stat(filepath.Join(broken, baselineName)); err == nil {
		t.Error("a baseline was left behind")
	}
}
