package affected_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/affected"
	"github.com/ctrllint/ctrllint/internal/filetest"
)

func TestPackages(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{
		"go.mod":          "module example.com/m\n\ngo 1.26\n",
		"a/a.go":          "package a\n",
		"b/b.go":          "package b\n\nimport _ \"example.com/m/a\"\n",
		"c/c.go":          "package c\n\nimport _ \"example.com/m/b\"\n",
		"d/d.go":          "package d\n",
		"d/d_test.go":     "package d\n\nimport _ \"example.com/m/c\"\n",
		"e/e.go":          "package e\n",
		"tag/t.go":        "//go:build extra\n\npackage tag\n\nimport _ \"example.com/m/e\"\n",
		"b/testdata/x.go": "package x\n",
		"sub/go.mod":      "module example.com/sub\n\ngo 1.26\n",
		"sub/s/s.go":      "package s\n",
	})
	for _, test := range []struct{ dir, files, tags, want, without string }{
		{"", "a/a.go", "", ".: m/a m/b m/c m/d", ""},
		{"", "b/b.go", "", ".: m/b m/c m/d", ""},
		{"", "d/d_test.go", "", ".: m/d", ""},
		{"", "e/e.go", "", ".: m/e", ""},
		{"", "e/e.go", "extra", ".: m/e m/tag", ""},
		{"", "e/e.go d/d.go", "", ".: m/d m/e", ""},
		{"", "b/testdata/x.go", "", "", "b/testdata/x.go"},
		{"", "x.txt gone/y.go e/e.txt", "", ".: m/e", "gone/y.go x.txt"},
		{"", "go.mod", "", ".: m/a m/b m/c m/d m/e", ""},
		{"b", "../go.sum", "", ".: m/a m/b m/c m/d m/e", ""},
		{"", "sub/s/s.go e/e.go", "", ".: m/e; sub: sub/s", ""},
		{"a", "a.go ../sub/s/s.go", "", ".: m/a m/b m/c m/d; sub: sub/s", ""},
		{"", "", "", "", ""},
	} {
		got, without, err := affected.Packages(t.Context(), filepath.Join(dir, test.dir), strings.Fields(test.files), test.tags)
		if err != nil {
			t.Errorf("%s: %v", test.files, err)
			continue
		}
		var parts []string
		for _, m := range got {
			rel, err := filepath.Rel(dir, m.Dir)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, rel+": "+strings.ReplaceAll(strings.Join(m.Packages, " "), "example.com/", ""))
		}
		if s := strings.Join(parts, "; "); s != test.want || strings.Join(without, " ") != test.without {
			t.Errorf("%s (tags %q): %q without %q, want %q without %q", test.files, test.tags, s, without, test.want, test.without)
		}
	}
}

func TestNoModule(t *testing.T) {
	if m, _, err := affected.Packages(t.Context(), t.TempDir(), []string{"a.go"}, ""); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("got %v and error %v, want one about go.mod", m, err)
	}
}
