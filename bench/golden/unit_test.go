package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// at is a finding of function f at a line, judged with the reason.
func at(function string, line int, reason string) *Finding {
	f := newFinding(report.Finding{
		Rule: "lockheld", Category: "lockheld/relock", Package: "m", Function: function, Message: "mu is locked again",
		Place: report.Place{File: "m.go", Line: line, Column: 2}, Confidence: "certain",
		Related: []report.Related{{Place: report.Place{File: "m.go", Line: line - 1, Column: 2}, Message: "locked here"}},
	})
	f.Judgement = verdict.Judgement{Verdict: verdict.Right, Reason: reason}
	return f
}

// Of several findings with one key, those that have not moved keep what was said of them.
func TestPair(t *testing.T) {
	was := []*Finding{at("F", 10, "first"), at("F", 20, "second"), at("F", 30, "third"), at("G", 40, "other")}
	is := []*Finding{at("F", 15, ""), at("F", 20, ""), at("F", 35, ""), at("F", 50, ""), at("H", 40, "")}
	var got []string
	for _, m := range pair(was, is) {
		line := func(f *Finding) string {
			if f == nil {
				return "-"
			}
			return fmt.Sprint(f.Line)
		}
		got = append(got, line(m.was)+" "+line(m.is))
	}
	if want := []string{"10 15", "20 20", "30 35", "- 50", "- 40", "40 -"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(was) != 4 || was[0].Line != 10 {
		t.Error("the findings of the file have been touched")
	}

	g := &Golden{Findings: is}
	keep(&Golden{Findings: was}, g)
	got = nil
	for _, f := range is {
		got = append(got, f.Verdict+" "+f.Reason)
	}
	if want := []string{"right first", "right second", "right third", "right ", "right "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each part that a user sees makes a change, and nothing else does.
func TestChanges(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(f *Finding)
		want string
	}{
		"nothing":    {func(f *Finding) { f.Verdict, f.Reason = verdict.Wrong, "else" }, ""},
		"file":       {func(f *Finding) { f.File = "n.go" }, "place: n.go:10:2, was m.go:10:2"},
		"line":       {func(f *Finding) { f.Line++ }, "place: m.go:11:2, was m.go:10:2"},
		"column":     {func(f *Finding) { f.Column++ }, "place: m.go:10:3, was m.go:10:2"},
		"rule":       {func(f *Finding) { f.Rule = "x" }, "rule: x, was lockheld"},
		"message":    {func(f *Finding) { f.Message = "mu is held" }, "message: mu is held, was mu is locked again"},
		"confidence": {func(f *Finding) { f.Confidence = "" }, "confidence: none, was certain"},
		"no way":     {func(f *Finding) { f.Related = nil }, "related places: 0, was 1"},
		"another":    {func(f *Finding) { f.Related[0].Line = 3 }, "related place 1: m.go:3:2: locked here, was m.go:9:2: locked here"},
		"said":       {func(f *Finding) { f.Related[0].Message = "x" }, "related place 1: m.go:9:2: x, was m.go:9:2: locked here"},
	} {
		t.Run(name, func(t *testing.T) {
			was, is := at("F", 10, "r"), at("F", 10, "r")
			test.edit(is)
			if got := strings.Join(changes(was, is), "; "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			d := compare(&Golden{Findings: []*Finding{was}}, &Golden{Findings: []*Finding{is}})
			if (len(d) > 0) != (test.want != "") || len(d) > 0 && (d[0].kind != "changed" || !slices.Contains(d[0].more, "right: r")) {
				t.Errorf("got %+v", d)
			}
		})
	}
}

// What stands in the head of the file is compared, too.
func TestCompareHeads(t *testing.T) {
	head := func() *Golden {
		return &Golden{Header: Header{Path: "m", Release: "v1", Patterns: []string{"./..."}, Packages: 3}, Notes: []string{"m/b: 3 blocks"}}
	}
	for want, edit := range map[string]func(g *Golden){
		"":                             func(*Golden) {},
		"module: m v2, was m v1":       func(g *Golden) { g.Release = "v2" },
		"patterns: [./a], was [./...]": func(g *Golden) { g.Patterns = []string{"./a"} },
		"packages: 2, was 3":           func(g *Golden) { g.Packages = 2 },
		"note: m/b: 4 blocks; note: m/b: 3 blocks": func(g *Golden) { g.Notes = []string{"m/b: 4 blocks"} },
		"failure: m/a: cannot be loaded\nx":        func(g *Golden) { g.Failures = []string{"m/a: cannot be loaded\nx"} },
	} {
		is := head()
		edit(is)
		var got []string
		for _, d := range compare(head(), is) {
			got = append(got, d.what)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What is written is read again, and what a person spoils is an error with its line.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.jsonl")
	g := newGolden(&Module{Path: "example.com/m", Version: "v1.0.0", Patterns: []string{"./..."}})
	g.Packages, g.Failures, g.Notes = 2, []string{"m/a: <b>\nand more"}, []string{"m/b: 3 blocks"}
	bare := at("G", 3, "none")
	bare.Related, bare.Confidence = nil, ""
	g.Findings = []*Finding{at("F", 10, "so"), bare}
	g.sort()
	if err := g.write(name); err != nil {
		t.Fatal(err)
	}
	const want = `{"tool":"ctrllint","kind":"golden","version":1,"module":"example.com/m","release":"v1.0.0","patterns":["./..."],"packages":2}
{"failure":"m/a: <b>\nand more"}
{"note":"m/b: 3 blocks"}
{"verdict":"right","reason":"none","rule":"lockheld","category":"lockheld/relock","file":"m.go","line":3,"column":2,"message":"mu is locked again","related":[],"key":{"package":"m","category":"lockheld/relock","function":"G","operation":"mu is locked again"}}
{"verdict":"right","reason":"so","rule":"lockheld","category":"lockheld/relock","file":"m.go","line":10,"column":2,"message":"mu is locked again","confidence":"certain","related":[{"file":"m.go","line":9,"column":2,"message":"locked here"}],"key":{"package":"m","category":"lockheld/relock","function":"F","operation":"mu is locked again"}}
`
	if data, err := os.ReadFile(name); err != nil || string(data) != want {
		t.Fatalf("wrote\n%s, %v, want\n%s", data, err, want)
	}
	got, err := read(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := compare(g, got); len(d) > 0 || !reflect.DeepEqual(got.Findings[1], g.Findings[1]) {
		t.Errorf("read %+v: %v", got, d)
	}

	for edit, want := range map[string]string{
		`"golden"~"silver"`:           ":1: not the head of a file of findings",
		`"version":1~"version":2`:     ":1: a file of form 2, and this program knows form 1",
		`"packages"~"parcels"`:        ":1: not the head of a file of findings",
		`"failure"~"fault"`:           ":2: no finding, failure or note: ",
		`"none"~"none`:                ":4: no finding, failure or note: ",
		`"reason"~"cause"`:            `:4: no finding, failure or note: json: unknown field "cause"`,
		`"package":"m"~"package":""`:  ":4: a finding without rule, category, message, file or package",
		`"line":3~"line":3}{"line":4`: ":4: no finding, failure or note: there is more than one object",
	} {
		o, n, _ := strings.Cut(edit, "~")
		if err := os.WriteFile(name, []byte(strings.Replace(holding(t, name, o), o, n, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := read(name); err == nil || !strings.HasPrefix(err.Error(), name+want) {
			t.Errorf("%s: got %v, want %s", edit, err, want)
		}
		if err := g.write(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := read(name); err == nil || !strings.HasSuffix(err.Error(), ":1: the file is empty") {
		t.Errorf("got %v", err)
	}
}

// holding is what the file holds, in which the text has to be.
func holding(t *testing.T, name, text string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(data), text) {
		t.Fatalf("%s is not in %s, %v", text, data, err)
	}
	return string(data)
}

func TestMessages(t *testing.T) {
	got := messages("go: downloading x\nctrllint: m: broken\n\tin two lines\nctrllint: debug: 3 notes\n")
	if want := []string{"go: downloading x", "m: broken\n\tin two lines", "debug: 3 notes"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChoose(t *testing.T) {
	all := []*Module{{Name: "a", Short: true}, {Name: "b"}, {Name: "c", Short: true}}
	for _, test := range []struct {
		only  string
		short bool
		want  string
	}{
		{"", false, "abc"}, {"", true, "ac"}, {"b,a", false, "ab"}, {"b,c", true, "c"},
	} {
		got, err := choose(all, test.only, test.short)
		names := ""
		for _, m := range got {
			names += m.Name
		}
		if err != nil || names != test.want {
			t.Errorf("%+v: got %q, %v", test, names, err)
		}
	}
	for only, want := range map[string]string{"d": `names no module "d"`, "b": "no module is chosen"} {
		if _, err := choose(all, only, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestReadModules(t *testing.T) {
	const good = `{"name": "m", "path": "example.com/m", "version": "v1.0.0", "patterns": ["./..."]}`
	for text, want := range map[string]string{
		"":                            "EOF",
		"[" + good + "," + good + "]": `module "m": the name is another module's already`,
		"[" + strings.Replace(good, `"m"`, `"M/x"`, 1) + "]":         `module "M/x": want a name`,
		"[" + strings.Replace(good, "v1.0.0", "", 1) + "]":           `module "m": want a path, a version and patterns`,
		"[" + strings.Replace(good, `"./..."`, "", 1) + "]":          `module "m": want a path, a version and patterns`,
		"[" + strings.Replace(good, "patterns", "packages", 1) + "]": `unknown field "packages"`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, listName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := readModules(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %s", text, got, err, want)
		}
	}
}

// The tables, with a finding that nobody has judged.
func TestTables(t *testing.T) {
	modules := []*Module{{Path: "example.com/m", Version: "v1.0.0", Patterns: []string{"./a", "./b"}}}
	g := &Golden{Header: Header{Packages: 7}, Failures: []string{"m: x"}, Findings: []*Finding{at("F", 1, "r"), at("G", 2, "r"), at("H", 3, "r")}}
	g.Findings[1].Judgement = verdict.Judgement{}
	g.Findings[2].Verdict, g.Findings[2].Category = verdict.CannotTell, "startctx/loop"
	var out strings.Builder
	modulesTable(&out, modules, []*Golden{g})
	byRule([]*Golden{g}).table(&out)
	const want = `| module | patterns | packages | failures | findings | right | weak | wrong | cannot tell |
|---|---|---|---|---|---|---|---|---|
| example.com/m v1.0.0 | ./a ./b | 7 | 1 | 3 | 1 | 0 | 0 | 1 |
| rule | findings | right | weak | wrong | cannot tell |
|---|---|---|---|---|---|
| lockheld/relock | 2 | 1 | 0 | 0 | 0 |
| startctx/loop | 1 | 0 | 0 | 0 | 1 |
| all | 3 | 1 | 0 | 0 | 1 |
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// What is kept is whole without a run: a file for each module, of the version of the list, in the order of the program,
// with a judgement of each finding; and the document has the tables.
func TestKept(t *testing.T) {
	for _, kept := range []struct {
		dir, doc       string
		modules, short int // at least
		findings       bool
	}{
		{".", "trust.md", 12, 9, false},
		{"trees", "field-notes.md", 36, 0, true},
	} {
		t.Run(kept.doc, func(t *testing.T) {
			modules, err := readModules(kept.dir)
			if err != nil {
				t.Fatal(err)
			}
			short := 0
			for _, m := range modules {
				if m.Short {
					short++
				}
				checkKept(t, m, m.fileName(kept.dir))
			}
			if len(modules) < kept.modules || short < kept.short {
				t.Errorf("%d modules, %d of them in the continuous integration", len(modules), short)
			}
			if stray, err := strays(kept.dir, modules); err != nil || len(stray) > 0 {
				t.Errorf("nobody has %s, %v", stray, err)
			}
			doc, err := os.ReadFile(filepath.Join("..", "..", "docs", kept.doc))
			if err != nil {
				t.Fatal(err)
			}
			var tables strings.Builder
			if _, err := printTables(&tables, kept.dir, modules, kept.findings); err != nil {
				t.Fatal(err)
			}
			for table := range strings.SplitSeq(tables.String(), "\n\n") {
				if !strings.Contains(string(doc), table) {
					t.Errorf("docs/%s has not this table:\n%s", kept.doc, table)
				}
			}
		})
	}
}

// checkKept holds the file of m against m.
func checkKept(t *testing.T, m *Module, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := read(name)
	if err != nil {
		t.Fatal(err)
	}
	if g.Path != m.Path || g.Release != m.Version || !slices.Equal(g.Patterns, m.Patterns) {
		t.Errorf("%s is about %s %s %s", name, g.Path, g.Release, g.Patterns)
	}
	for _, f := range g.Findings {
		if err := f.Check(); err != nil {
			t.Errorf("%s: %v: %v", name, f, err)
		}
		whole := report.Finding{Category: f.Category, Package: f.Key.Package, Function: f.Key.Function, Message: f.Message}
		if k := baseline.KeyOf(whole); k.Operation != f.Key.Operation && f.Key.Function != "" {
			t.Errorf("%s: %v: the key is %q, want %q", name, f, f.Key.Operation, k.Operation)
		}
	}
	written := filepath.Join(t.TempDir(), "again")
	if err := g.write(written); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(written); err != nil || string(again) != string(data) {
		t.Errorf("%s is not as the program writes it: %v", name, err)
	}
}
