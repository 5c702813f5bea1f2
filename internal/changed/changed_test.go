package changed_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/changed"
	"github.com/ctrllint/ctrllint/internal/filetest"
)

// repository is a git repository in a temporary folder.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	r := repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r repository) write(name, content string) {
	r.t.Helper()
	filetest.Write(r.t, r.dir, map[string]string{name: content})
}

func (r repository) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

func (r repository) since(dir, rev string) *changed.Lines {
	r.t.Helper()
	l, err := changed.Since(filepath.Join(r.dir, dir), rev)
	if err != nil {
		r.t.Fatal(err)
	}
	return l
}

// numbered is a file of n lines; what is in replace stands in the place of the lines with those numbers.
func numbered(n int, replace map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if text, ok := replace[i]; ok {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "// line %d\n", i)
		}
	}
	return b.String()
}

// changedOf are the lines up to 30 of file that have changed.
func changedOf(l *changed.Lines, file string) []int {
	var out []int
	for i := 1; i <= 30; i++ {
		if l.Has(file, i, i) {
			out = append(out, i)
		}
	}
	return out
}

func TestSince(t *testing.T) {
	r := newRepository(t)
	for _, name := range []string{"a.go", "sub/b.go", "moved.go", "gone.go", "same.go", "with \"quotes\" and ü.go", "other.txt"} {
		r.write(name, numbered(20, nil))
	}
	r.write(".gitignore", "ignored.go\n")
	r.write(".gitattributes", "a.go -diff\n")
	r.commit("first")
	r.git("branch", "base")

	// What others do on their branch meanwhile is not ours.
	r.git("checkout", "-q", "base")
	r.write("same.go", numbered(20, map[int]string{5: "// theirs\n"}))
	r.commit("theirs")
	r.git("checkout", "-q", "main")

	// Committed, staged, and in the working tree only.
	r.write("a.go", numbered(20, map[int]string{3: "// new\n", 10: "--- a/x\n+++ b/same.go\n@@ -1,9 +1,9 @@\n"}))
	r.commit("second")
	r.write("sub/b.go", numbered(20, map[int]string{4: "", 5: "", 9: "// line 9\n// more\n"}))
	r.git("add", "-A")
	if err := os.Remove(filepath.Join(r.dir, "moved.go")); err != nil {
		t.Fatal(err)
	}
	r.write("sub/here.go", numbered(20, map[int]string{7: "// new\n"}))
	r.git("add", "-A")
	if err := os.Remove(filepath.Join(r.dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	r.write("with \"quotes\" and ü.go", numbered(20, map[int]string{20: "// no newline at the end"}))
	r.write("sub/new.go", numbered(2, nil))
	r.write("ignored.go", numbered(2, nil))

	check := func() {
		t.Helper()
		l := r.since("", "base")
		for file, want := range map[string][]int{
			"a.go":                       {3, 10, 11, 12},
			"sub/b.go":                   {3, 4, 8},
			"sub/here.go":                {7},
			"same.go":                    nil,
			"with \"quotes\" and ü.go":   {20},
			"ignored.go":                 nil,
			"sub/../a.go":                {3, 10, 11, 12},
			filepath.Join(r.dir, "a.go"): {3, 10, 11, 12},
			"../outside.go":              nil,
		} {
			if got := changedOf(l, file); !slices.Equal(got, want) {
				t.Errorf("%s: lines %v have changed, want %v", file, got, want)
			}
		}
		if !l.Has("sub/new.go", 1, 1) || !l.Has("sub/new.go", 900, 900) {
			t.Error("a new file is not new")
		}
		if l.Has("a.go", 1, 2) || !l.Has("a.go", 1, 3) || !l.Has("a.go", 3, 9) || l.Has("a.go", 4, 9) {
			t.Error("ranges of lines are not compared right")
		}
	}
	check()
	// Whatever a user has configured.
	for _, c := range [][2]string{
		{"diff.noprefix", "true"}, {"diff.mnemonicPrefix", "true"}, {"color.ui", "always"}, {"diff.external", "false"},
		{"diff.context", "5"}, {"diff.interHunkContext", "9"}, {"diff.renames", "false"}, {"diff.relative", "true"}, {"core.quotePath", "true"},
	} {
		r.git("config", c[0], c[1])
	}
	check()

	if got := changedOf(r.since("sub", "base"), "b.go"); !slices.Equal(got, []int{3, 4, 8}) {
		t.Errorf("from below: lines %v have changed", got)
	}
	if got := changedOf(r.since("sub", "base"), "../a.go"); !slices.Equal(got, []int{3, 10, 11, 12}) {
		t.Errorf("from below: lines %v have changed", got)
	}
	if got := changedOf(r.since("", "HEAD"), "a.go"); got != nil {
		t.Errorf("since HEAD: lines %v have changed", got)
	}
}

func TestErrors(t *testing.T) {
	r := newRepository(t)
	r.write("a.go", "package a\n")
	r.commit("first")
	r.git("checkout", "-q", "--orphan", "other")
	r.commit("unrelated")
	for _, test := range []struct{ dir, rev, want string }{
		{r.dir, "nowhere", `git knows no revision "nowhere"`},
		{r.dir, "--help", `git knows no revision "--help"`},
		{r.dir, "main", `"main" and HEAD have no commit in common`},
		{t.TempDir(), "main", "git: not a git repository"},
		{filepath.Join(r.dir, "none"), "main", "lstat "},
	} {
		if _, err := changed.Since(test.dir, test.rev); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that starts with %q", test.rev, err, test.want)
		}
	}
	t.Setenv("PATH", "")
	if _, err := changed.Since(r.dir, "main"); err == nil || err.Error() != "there is no git to ask" {
		t.Errorf("without git: error %v", err)
	}
}
