package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctrllint/ctrllint/internal/source"
)

func TestLine(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.go")
	if err := os.WriteFile(name, []byte("one\r\n\ttwo\nthree"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := source.Files{Dir: dir}
	for n, want := range map[int]string{1: "one", 2: "\ttwo", 3: "three"} {
		if got, ok := files.Line("a.go", n); got != want || !ok {
			t.Errorf("line %d is %q, %t", n, got, ok)
		}
	}
	if got, ok := files.Line(name, 3); got != "three" || !ok {
		t.Errorf("line 3 is %q, %t by the absolute name", got, ok)
	}
	for _, n := range []int{-1, 0, 4} {
		if got, ok := files.Line("a.go", n); ok {
			t.Errorf("line %d is %q", n, got)
		}
	}
	if got, ok := files.Line("none.go", 1); ok {
		t.Errorf("a line of a file that is not there is %q", got)
	}
}

func TestRoot(t *testing.T) {
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if root, err := source.Root(below); root != below || err != nil {
		t.Errorf("without a repository the root is %s, %v", root, err)
	}
	if err := os.WriteFile(filepath.Join(top, ".git"), nil, 0o644); err != nil { // as a worktree has it
		t.Fatal(err)
	}
	root, err := source.Root(below)
	if root != top || err != nil {
		t.Errorf("the root is %s, %v", root, err)
	}
	files := source.Files{Dir: below}
	for _, test := range []struct {
		name, want string
		ok         bool
	}{
		{"x.go", "a/b/x.go", true},
		{"../x.go", "a/x.go", true},
		{filepath.Join(top, "x.go"), "x.go", true},
		{"../../../x.go", "", false},
	} {
		if got, ok := files.Below(top, test.name); got != test.want || ok != test.ok {
			t.Errorf("%s is %q, %t", test.name, got, ok)
		}
	}
}
