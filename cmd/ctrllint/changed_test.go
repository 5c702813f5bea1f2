package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// commit makes all that lies in dir the first commit of a repository.
func commit(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false", "commit", "-q", "-m", "first"},
	} {
		if out, stderr, code := command(t, dir, "git", args...); code != 0 {
			t.Fatalf("git %v: %s%s", args, out, stderr)
		}
	}
}

func TestNewFrom(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"a/main.go": deadlock, "b/main.go": deadlock})
	commit(t, dir)
	check := func(step, args, stdout, stderr string, code int) {
		t.Helper()
		gotOut, gotErr, gotCode := command(t, dir, tool, strings.Fields(args)...)
		if gotCode != code || !matches(stdout, gotOut) || !matches(stderr, gotErr) {
			t.Fatalf("%s: exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s", step, gotCode, code, gotOut, stdout, gotErr, stderr)
		}
	}
	check("nothing", "-new-from HEAD", "", "", 0)
	edit(t, dir, "a/main.go", "type store", "// A comment.\n\ntype store")
	check("elsewhere in the file", "-new-from main", "", "", 0)
	edit(t, dir, "a/main.go", "\nfunc main() {", second)
	check("new code", "-new-from main", `^a/main\.go:18:\d+: .*\n(\t.*\n)*$`, "", 1)
	check("from below", "-C a -new-from main", `^main\.go:18:\d+: .*\n(\t.*\n)*$`, "", 1)
	// The first Lock of b is new, and the second one becomes a finding.
	edit(t, dir, "b/main.go", "twice() {\n\ts.mu.Lock()\n", "twice() {\n\ts.mu.Lock() // new\n")
	check("a line that leads there", "-new-from main ./b", `^b/main\.go:10:\d+: .*\n(\t.*\n)*$`, "", 1)
	check("no such revision", "-new-from nowhere", "", `^ctrllint: -new-from: git knows no revision "nowhere"`, 2)

	other := filetest.Module(t, map[string]string{"main.go": deadlock})
	if stdout, stderr, code := command(t, other, tool, "-new-from", "HEAD"); code != exitFailure || stdout != "" || !strings.HasPrefix(stderr, "ctrllint: -new-from: git: not a git repository") {
		t.Errorf("no repository: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
