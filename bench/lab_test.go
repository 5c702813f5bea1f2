package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script is a tool that notes what state it was started in.
const script = `#!/bin/sh
build=full; [ -e "$GOCACHE/full" ] || build=empty
own=warm; [ -e "$STATICCHECK_CACHE/seen" ] || own=empty
touch "$STATICCHECK_CACHE/seen"
echo "build $build, own $own" >>LOG
echo 'a.go:3: finding'
exit 1
`

// newTestLab is a lab with a tool, a module of one package, and what the tool has noted.
func newTestLab(t *testing.T) (*lab, *tool, *module, func() []string) {
	dir, temp := t.TempDir(), t.TempDir()
	log := filepath.Join(dir, "log")
	write := func(path, text string, mode os.FileMode) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "tool"), strings.Replace(script, "LOG", log, 1), 0o755)
	write(filepath.Join(temp, "gocache", "full"), "", 0o644)
	module := &module{name: "m", dir: filepath.Join(dir, "m")}
	write(filepath.Join(module.dir, "a.go"), "package a\n", 0o644)
	l := &lab{temp: temp, buildCache: filepath.Join(temp, "gocache"), runs: 2, log: io.Discard, found: map[string]string{}}
	notes := func() []string {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(log); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	return l, &tool{name: "tool", path: filepath.Join(dir, "tool")}, module, notes
}

func TestMeasure(t *testing.T) {
	l, one, m, notes := newTestLab(t)
	for _, test := range []struct {
		row  row
		want []string
	}{
		{row{buildEmpty: true}, []string{"build empty, own empty", "build empty, own empty"}},
		{row{}, []string{"build full, own empty", "build full, own empty"}},
		// The first run is not measured.
		{row{warm: true}, []string{"build full, own empty", "build full, own warm", "build full, own warm"}},
	} {
		costs, err := l.measure(t.Context(), m, test.row, []*tool{one})
		if err != nil {
			t.Fatal(err)
		}
		if len(costs[one]) != 2 {
			t.Errorf("%d runs count", len(costs[one]))
		}
		if got := notes(); !slices.Equal(got, test.want) {
			t.Errorf("got\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	if len(l.differs) > 0 {
		t.Errorf("one finding differs from itself: %s", l.differs)
	}
	if runs, err := filepath.Glob(filepath.Join(l.temp, "run*")); err != nil || len(runs) > 0 {
		t.Errorf("folders of runs are left: %s, %v", runs, err)
	}
}

func TestCompare(t *testing.T) {
	l := &lab{found: map[string]string{}}
	l.compare("m, tool", "cold", "a\n")
	l.compare("m, tool", "warm", "a\n")
	l.compare("m, other", "warm", "b\n")
	if len(l.differs) > 0 {
		t.Errorf("got %q", l.differs)
	}
	l.compare("m, tool", "nobuild", "b\n")
	want := "m, tool: in nobuild, other findings than in the first run\n-a\n+b\n"
	if !slices.Equal(l.differs, []string{want}) {
		t.Errorf("got %q, want %q", l.differs, want)
	}
}
