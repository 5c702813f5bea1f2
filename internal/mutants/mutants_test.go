package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The list is kept with the code: what it replaces is there, and what it makes of a file is still Go.
func TestList(t *testing.T) {
	list, err := parseList(listed)
	if err != nil {
		t.Fatal(err)
	}
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lives := 0
	for _, m := range list {
		text, err := m.Mutated(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, text, 0); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		for _, pkg := range m.Tests {
			if tests, _ := filepath.Glob(filepath.Join(root, pkg, "*_test.go")); len(tests) == 0 {
				t.Errorf("%s: %s has no tests", m.Name, pkg)
			}
		}
		if m.Lives != "" {
			lives++
		}
	}
	if len(list) == 0 || 10*lives > len(list) {
		t.Errorf("%d of %d mutants may live", lives, len(list))
	}
}

func TestParseList(t *testing.T) {
	const one = "- {name: a/x, breaks: b, file: f.go, find: p, replace: q, tests: [t]}\n"
	for _, test := range []struct{ list, want string }{
		{one, ""},
		{one + one, "two of that name"},
		{strings.Replace(one, "a/x", "x", 1), "no name of the form"},
		{strings.Replace(one, "breaks: b, ", "", 1), "are needed"},
		{strings.Replace(one, "tests: [t]", "tests: []", 1), "are needed"},
		{strings.Replace(one, "replace: q", "replace: p", 1), "changes nothing"},
		{strings.Replace(one, "breaks", "break", 1), "field break not found"},
	} {
		_, err := parseList([]byte(test.list))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: got %v, want %q", test.list, err, test.want)
		}
	}
}

func TestChoose(t *testing.T) {
	list := []*Mutant{{Name: "a/x"}, {Name: "a/y"}, {Name: "b/x"}}
	for _, test := range []struct{ only, areas, want string }{
		{"", "", "a/x a/y b/x"},
		{"a/y", "", "a/y"},
		{"b/x,a/x", "", "b/x a/x"},
		{"", "a", "a/x a/y"},
		{"a/x", "a,b", "a/x"},
		{"a/x", "b", "error"},
		{"c/x", "", "error"},
		{"", "c", "error"},
	} {
		chosen, err := choose(list, test.only, test.areas)
		var names []string
		for _, m := range chosen {
			names = append(names, m.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error"
		}
		if got != test.want {
			t.Errorf("-only %q -rules %q: got %q, want %q", test.only, test.areas, got, test.want)
		}
	}
}

// What becomes of mutants of a small module: killed, living, hanging, not compiling, and not there.
func TestRun(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/small\n\ngo 1.24\n",
		"a/a.go": "package a\n\nfunc Double(n int) int {\n\tfor n > 100 {\n\t\tn--\n\t}\n\treturn 2 * n\n}\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n" +
			"\tif Double(2) != 4 || Double(101) != 200 {\n\t\tt.Error(\"no double\")\n\t}\n}\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := &lab{root: root, timeout: "10s", temp: t.TempDir()}
	mutant := func(name, find, replace, lives string) *Mutant {
		return &Mutant{Name: name, Breaks: "arithmetic", File: "a/a.go", Find: find, Replace: replace, Tests: []string{"b", "a"}, Lives: lives}
	}
	for _, test := range []struct {
		name string
		m    *Mutant
		want string // of the output
		err  string // empty for none
	}{
		{"killed", mutant("a/two", "2 * n", "3 * n", ""), "killed  a/two  a: TestDouble", ""},
		{"killed, but said to live", mutant("a/two", "2 * n", "3 * n", "why not"), "1 of 1 mutants are killed", "is killed by now"},
		{"lives", mutant("a/same", "2 * n", "n + n", ""), "lives   a/same", "a/same lives: arithmetic"},
		{"lives, with a reason", mutant("a/same", "2 * n", "n + n", "it is the same"), "0 of 1 mutants are killed\na/same lives: arithmetic\n\tit is the same", ""},
		{"hangs", mutant("a/loop", "n--", "n++; n--", ""), "hangs   a/loop", ""},
		{"does not compile", mutant("a/type", "2 * n", "\"n\"", ""), "error   a/type", "the tests of b do not run"},
		{"is not there", mutant("a/none", "4 * n", "n", ""), "error   a/none", "0 times"},
		{"is there twice", mutant("a/twice", "n", "m", ""), "error   a/twice", "times, not once"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "does not compile" {
				test.m.Tests = []string{"a"}
				test.err = "the tests of a do not run"
			}
			var out bytes.Buffer
			err := l.all(t.Context(), &out, []*Mutant{test.m}, false)
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("got error %v, want %q", err, test.err)
			}
			if !strings.Contains(out.String(), test.want) {
				t.Errorf("got\n%s\nwant %q in it", &out, test.want)
			}
		})
	}
	if src, err := os.ReadFile(filepath.Join(root, "a", "a.go")); err != nil || !bytes.Contains(src, []byte("2 * n")) {
		t.Errorf("the tree was touched: %s, %v", src, err)
	}
	// Tests that fail by themselves would kill everything.
	if err := os.WriteFile(filepath.Join(root, "b", "b_test.go"), []byte("package b\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(1) }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := l.all(t.Context(), new(bytes.Buffer), []*Mutant{mutant("a/two", "2 * n", "3 * n", "")}, false)
	if err == nil || !strings.Contains(err.Error(), "fail without any mutant") {
		t.Errorf("failing tests: got %v", err)
	}
}

func TestRead(t *testing.T) {
	o, build := read([]byte(`{"Action":"run","Test":"TestA"}
{"Action":"output","Test":"TestA/x","Output":"no\n"}
{"Action":"fail","Test":"TestA/x"}
{"Action":"fail","Test":"TestA"}
{"Action":"fail"}
`))
	if !o.failed || o.hung || build != "" || !slices.Equal(o.tests, []string{"TestA"}) || o.output != "no\n" {
		t.Errorf("got %+v, %q", o, build)
	}
}

func TestIndented(t *testing.T) {
	out := "=== RUN   TestA\n=== RUN   TestA/x\n    a_test.go:1: no\n--- FAIL: TestA (0.00s)\n    --- PASS: TestA/y (0.00s)\n    --- FAIL: TestA/x (0.00s)\nFAIL\n"
	want := "\t    a_test.go:1: no\n\t--- FAIL: TestA (0.00s)\n\t    --- FAIL: TestA/x (0.00s)\n\tFAIL"
	if got := indented(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Count(indented(strings.Repeat("x\n", 100)), "x"); got != 20 {
		t.Errorf("%d lines, want 20", got)
	}
}
