package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// edit replaces a text in a file of a module.
func edit(t *testing.T, dir, name, from, to string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), from) {
		t.Fatalf("%s has no %q", name, from)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(data), from, to)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// second is another bug for deadlock.
const second = `
func (s *store) again() {
	s.mu.Lock()
	s.mu.Lock()
}

func main() {`

// fixed takes the bug out of deadlock.
func fixed(t *testing.T, dir, name string) {
	edit(t, dir, name, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n", "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n")
}

func TestBaselineLifeCycle(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"a/main.go": deadlock, "b/main.go": deadlock})
	check := func(step, args, stdout, stderr string, code int) {
		t.Helper()
		gotOut, gotErr, gotCode := command(t, dir, tool, strings.Fields(args)...)
		if gotCode != code || !matches(stdout, gotOut) || !matches(stderr, gotErr) {
			t.Fatalf("%s: exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s", step, gotCode, code, gotOut, stdout, gotErr, stderr)
		}
	}
	const file = "lint/accepted.jsonl"
	if err := os.Mkdir(filepath.Join(dir, "lint"), 0o755); err != nil {
		t.Fatal(err)
	}
	check("no file", "-baseline "+file, "", `^ctrllint: baseline lint/accepted\.jsonl: no such file \(-write-baseline creates it\)\n$`, 2)
	check("made", "-baseline "+file+" -write-baseline", "", `^ctrllint: baseline: 2 findings written to lint/accepted\.jsonl\n$`, 0)
	made := read(t, dir, file)
	check("nothing new", "-baseline "+file, "", "", 0)
	check("from below", "-C a -baseline ../"+file, "", "", 0)
	check("other options", "-baseline "+file+" -lockheld.slow", "", "", 0)

	// Lines move, and functions to other files.
	edit(t, dir, "a/main.go", "type store", "// A comment.\n\ntype store")
	twice := deadlock[strings.Index(deadlock, "func (s"):strings.Index(deadlock, "func main")]
	edit(t, dir, "b/main.go", twice, "")
	if err := os.WriteFile(filepath.Join(dir, "b", "other.go"), []byte("package main\n\n"+twice), 0o644); err != nil {
		t.Fatal(err)
	}
	check("moved", "-baseline "+file, "", "", 0)

	// A write does not add.
	edit(t, dir, "a/main.go", "\nfunc main() {", second)
	check("new", "-baseline "+file, `^a/main\.go:18:\d+: .*\n(\t.*\n)*$`, "", 1)
	check("new and write", "-baseline "+file+" -write-baseline", `^a/main\.go:18:\d+: .*\n(\t.*\n)*$`, "", 1)
	if got := read(t, dir, file); got != made {
		t.Fatalf("a write has added to the baseline:\n%s", got)
	}

	// What is gone is reported, by a run that would have seen it.
	fixed(t, dir, "b/other.go")
	check("partial", "-baseline "+file+" -write-baseline ./a", `^a/main\.go:18:\d+: .*\n(\t.*\n)*$`, "", 1)
	check("other rules", "-baseline "+file+" -startctx", "", "", 0)
	check("write with other rules", "-baseline "+file+" -write-baseline -startctx", "", `^ctrllint: baseline lint/accepted\.jsonl was written with no options, but this run has -startctx=true, `, 2)
	if got := read(t, dir, file); got != made {
		t.Fatalf("a partial run has changed the baseline:\n%s", got)
	}
	check("gone", "-baseline "+file+" ./b", "", `^ctrllint: baseline: 1 entry of lint/accepted\.jsonl no longer found; -write-baseline removes them:\n\texample\.com/m/b, \(\*store\)\.twice: s\.mu\.Lock\(\) \(lockheld/relock\)\n$`, 0)
	check("shrunk", "-baseline "+file+" -write-baseline ./b", "", `^ctrllint: baseline: 1 entry removed from lint/accepted\.jsonl:\n\t.*\n$`, 0)
	if got := read(t, dir, file); len(got) >= len(made) || strings.Contains(got, "example.com/m/b") {
		t.Fatalf("the baseline did not shrink:\n%s", got)
	}

	// What is to be added is to be asked for; packages that were not analysed stay.
	check("all of b", "-baseline "+file+" -write-baseline=all ./b", "", `^ctrllint: baseline: 1 finding written`, 0)
	check("all", "-baseline "+file+" -write-baseline=all", "", `^ctrllint: baseline: 2 findings written`, 0)
	check("accepted", "-baseline "+file, "", "", 0)

	// A package that is gone takes its entries with it.
	if err := os.RemoveAll(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	check("package gone", "-baseline "+file+" -write-baseline", "", `^ctrllint: baseline: 2 entries removed`, 0)
	if got := read(t, dir, file); strings.Count(got, "\n") != 1 {
		t.Fatalf("the baseline is not empty:\n%s", got)
	}
}

// A baseline that cannot be read or written stays as it is.
func TestBaselineErrors(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": deadlock, "broken": "{\"tool\":\"ctrllint\",\"kind\":\"baseline\",\"version\":2}\n{\n", "later": "{\"tool\":\"ctrllint\",\"kind\":\"baseline\",\"version\":7}\n"})
	for _, test := range []struct{ args, want string }{
		{"-baseline broken", "ctrllint: baseline broken:2: not an entry: "},
		{"-baseline broken -write-baseline", "ctrllint: baseline broken:2: not an entry: "},
		{"-baseline broken -write-baseline=all", "ctrllint: baseline broken:2: not an entry: "},
		{"-baseline later -write-baseline=all", "ctrllint: baseline later:1: a baseline of version 7"},
		{"-baseline . -write-baseline", "ctrllint: baseline read .: is a directory"},
		{"-baseline no/such -write-baseline", "ctrllint: baseline no/such: its folder is not writable: no such file"},
		{"-baseline x -write-baseline ./nowhere/...", "ctrllint: baseline x is not written, because nothing was analysed: pattern ./nowhere/...: "},
		{"-write-baseline", "ctrllint: -write-baseline needs -baseline FILE"},
		{"-baseline x -write-baseline=some", "ctrllint: invalid boolean value \"some\" for -write-baseline: want true, false or all"},
	} {
		stdout, stderr, code := command(t, dir, tool, strings.Fields(test.args)...)
		if code != exitFailure || stdout != "" || !strings.HasPrefix(stderr, test.want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q", test.args, code, stdout, stderr, test.want)
		}
	}
	if got := read(t, dir, "broken"); !strings.HasSuffix(got, "\n{\n") {
		t.Errorf("the broken baseline was changed: %q", got)
	}
}

// What could not be analysed keeps its entries.
func TestBaselineOfBrokenPackage(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": deadlock})
	if _, stderr, code := command(t, dir, tool, "-baseline", "b", "-write-baseline"); code != exitClean {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	made := read(t, dir, "b")
	fixed(t, dir, "main.go")
	edit(t, dir, "main.go", "func main() {", "var x int = \"\"\n\nfunc main() {")
	if _, stderr, code := command(t, dir, tool, "-baseline", "b", "-write-baseline"); code != exitFailure || strings.Contains(stderr, "baseline") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if got := read(t, dir, "b"); got != made {
		t.Errorf("the baseline has become %s", got)
	}

	both := filetest.Module(t, map[string]string{"main.go": deadlock, "broken/p.go": "package p\n\nvar X int = \"\"\n"})
	if _, stderr, code := command(t, both, tool, "-baseline", "b", "-write-baseline"); code != exitFailure ||
		!strings.HasPrefix(stderr, "ctrllint: baseline: 1 finding written to b, without packages that could not be analysed\n") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
