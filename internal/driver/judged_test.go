package driver

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// A run says nothing of a package that it was not asked for, or that it could not analyse; it says of one that is not
// there any more that it has no findings.
func TestJudged(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go":      "package a\n",
		"a/a_test.go": "package a_test\n",
		"b/b.go":      "package b\n",
		"boom/b.go":   "package boom\n\nfunc Boom() {}\n",
		"broken/b.go": "package broken\n\nvar X int = \"\"\n",
		"x/x.go":      "//go:build never\n\npackage x\n",
		"text/t.txt":  "",
	})
	all := Run([]*analysis.Analyzer{bad}, Options{Dir: dir})
	some := Run([]*analysis.Analyzer{bad}, Options{Dir: dir, Patterns: []string{"./a"}})
	for _, test := range []struct {
		path      string
		all, some bool
	}{
		{"a", true, true},
		{"a_test", true, true}, // the tests of a were not loaded: who asks for them compares the options first
		{"b", true, false},
		{"b_test", true, false},
		{"boom", false, false},
		{"broken", false, false},
		{"x", false, false},
		{"text", true, true},
		{"never/was", true, true},
	} {
		path := "example.com/m/" + test.path
		if all, some := all.Judged(path), some.Judged(path); all != test.all || some != test.some {
			t.Errorf("%s: judged %t by the run of all, %t by the one of a, want %t and %t", path, all, some, test.all, test.some)
		}
	}
	for _, path := range []string{"example.com/mother", "example.org/other/pkg", "example.com"} {
		if all.Judged(path) {
			t.Errorf("%s belongs to no module that was analysed", path)
		}
	}

	if none := Run([]*analysis.Analyzer{bad}, Options{Dir: dir, Patterns: []string{"./broken", "./nowhere"}}); none.Packages() > 0 || all.Packages() == 0 {
		t.Error("a run that could analyse nothing is not told from one that could")
	}

	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if !some.Judged("example.com/m/b") {
		t.Error("a package that was deleted is not judged")
	}
}
