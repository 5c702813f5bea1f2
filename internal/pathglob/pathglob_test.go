package pathglob

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		patterns, file string
		want           bool
	}{
		{"", "/m/a.go", false},
		{"a.go", "/m/a.go", true},
		{"a.go", "/m/b/a.go", false},
		{"**/a.go", "/m/a.go", true},
		{"**/a.go", "/m/b/c/a.go", true},
		{"test", "/m/test/e2e/x.go", true},
		{"test/", "/m/test/e2e/x.go", true},
		{"test", "/m/testing/x.go", false},
		{"test/**", "/m/test/e2e/x.go", true},
		{"test/**/x.go", "/m/test/x.go", true},
		{"test/**/x.go", "/m/test/e2e/y.go", false},
		{"pkg/*/zz_*.go", "/m/pkg/v1/zz_generated.go", true},
		{"pkg/*/zz_*.go", "/m/pkg/v1/x/zz_generated.go", false},
		{"pkg/v[12]/", "/m/pkg/v3/x.go", false},
		{"a,b", "/m/b/x.go", true},
		{`a\,b`, "/m/a,b/x.go", true},
		{`a\,b`, "/m/b/x.go", false},
		{"/other/*", "/other/x.go", true},
		{"/other/*", "/m/x.go", false},
		{"../n/*.go", "/n/x.go", true},
		{"./a/../b", "/m/b/x.go", true},
		{"./test/...", "/m/test/e2e/x.go", true},
		{"./test/...", "/m/testing/x.go", false},
		{"test/...,b", "/m/b/x.go", true},
		{"./...", "/m/a/x.go", true},
		{"...", "/m/x.go", true},
		{"/other/...", "/other/a/x.go", true},
		{"../n/...", "/n/x.go", true},
	} {
		var l List
		if err := l.Set(test.patterns); err != nil {
			t.Errorf("%q: %v", test.patterns, err)
		}
		l.From("/m")
		if got := l.Match(test.file); got != test.want {
			t.Errorf("%q matches %s: %t, want %t", test.patterns, test.file, got, test.want)
		}
	}
}

// A folder with letters in its name that mean something in a pattern is itself, and what String gives can be set again.
func TestBase(t *testing.T) {
	var l List
	if err := l.Set("x*,y"); err != nil {
		t.Fatal(err)
	}
	if l.Match("/a[b]/*,c/xx.go") {
		t.Error("a relative pattern matches before it is known what it is relative to")
	}
	l.From("/a[b]/*,c")
	again := List{}
	if err := again.Set(l.String()); err != nil {
		t.Fatal(err)
	}
	for _, m := range []List{l, again} {
		if !m.Match("/a[b]/*,c/xx.go") || !m.Match("/a[b]/*,c/y/z.go") || m.Match("/ab/d,c/xx.go") {
			t.Errorf("%q does not match what it should", m.String())
		}
	}
}

func TestErrors(t *testing.T) {
	for value, want := range map[string]string{
		"a[":    `bad pattern "a["`,
		"a**/b": "** stands for whole elements",
		"a,,b":  "an empty pattern",
		"a...":  "... stands at the end, behind a slash",
		".../b": "... stands at the end, behind a slash",
	} {
		var l List
		if err := l.Set(value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", value, err, want)
		}
	}
	r := Rooted{new(List)}
	if err := r.Set("/a,b"); err == nil || !strings.Contains(err.Error(), `"b" is relative to no folder`) {
		t.Errorf("a relative pattern: got error %v", err)
	}
	if err := r.Set("/a"); err != nil || r.String() != "/a" || (Rooted{}).String() != "" {
		t.Errorf("got %q, %v, want /a", r.String(), err)
	}
}

// The flag that is set last counts alone.
func TestSetAgain(t *testing.T) {
	var l List
	if err := l.Set("a"); err != nil {
		t.Fatal(err)
	}
	if err := l.Set("b"); err != nil || l.String() != "b" {
		t.Errorf("got %q, %v, want b", l.String(), err)
	}
}

// A pattern that matches nothing is found out, one that matches a file, or a folder, is not.
func TestIdle(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"a/b/zz_x.go": "", "a/[c]/x.go": "", ".git/x.h": ""})
	for pattern, idle := range map[string]bool{
		"a": false, "a/b/zz_x.go": false, "**/zz_*.go": false, "a/*/zz_x.go": false, "a/...": false, "**": false, "*": false, "[ab]": false, `a/\[c]`: false,
		"b": true, "a/zz_x.go": true, "**/none*.go": true, "a/*/none.go": true, "b/...": true, "none/**": true, "[cd]": true, "**/*.h": true, "*/*/*/*": true,
	} {
		var l List
		if err := l.Set(pattern); err != nil {
			t.Fatal(err)
		}
		l.From(dir)
		if got := len(l.Idle()) > 0; got != idle {
			t.Errorf("%q matches nothing: %t, want %t", pattern, got, idle)
		}
	}
}

// What would take too long to look for is not called idle.
func TestIdleInManyFiles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "", "b.go": "", "c.go": ""})
	defer func(n int) { maxLooked = n }(maxLooked)
	for n, idle := range map[int]bool{4: true, 3: false} { // the folder is one of them
		maxLooked = n
		var l List
		if err := l.Set("**/none.go"); err != nil {
			t.Fatal(err)
		}
		l.From(dir)
		if got := len(l.Idle()) > 0; got != idle {
			t.Errorf("of %d looked at, the pattern matches nothing: %t, want %t", n, got, idle)
		}
	}
}
