package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// All rules come through the whole standard library, and lockheld finds there what was judged.
func TestStandardLibrary(t *testing.T) {
	std := bodies[0]
	p, err := std.prepare(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	s := run(t.Context(), p)
	var out bytes.Buffer
	s.print(&out, std.name, time.Since(start), false)
	if err := s.judge(t.Context(), &out, std.judged, false); err != nil {
		t.Error(err)
	}
	t.Log(out.String())
	for _, err := range s.problems {
		t.Error(err)
	}
	if s.packages < 200 || s.functions < 10000 {
		t.Errorf("%d packages with %d functions are not the standard library", s.packages, s.functions)
	}
}

// What goes wrong is a problem of the sweep.
func TestProblems(t *testing.T) {
	analyzer := func(name string, run func(*analysis.Pass) (any, error)) *analysis.Analyzer {
		return &analysis.Analyzer{Name: name, Doc: name, Run: rule.Wrap(name, nil, run)}
	}
	for _, test := range []struct {
		name   string
		src    string
		broken bool // it is said that the package cannot be loaded
		rule   *analysis.Analyzer
		want   string // empty for no problem
	}{
		{"nothing", "package a", false, nil, ""},
		{"a rule that panics", "package a", false, analyzer("bad", func(*analysis.Pass) (any, error) { panic("no") }), "bad could not analyse"},
		{"a rule that fails", "package a", false, analyzer("bad", func(*analysis.Pass) (any, error) { return nil, os.ErrInvalid }), "bad: invalid argument"},
		{"a finding", "package a", false, analyzer("good", func(p *analysis.Pass) (any, error) {
			p.Reportf(p.Files[0].Name.Pos(), "here")
			return nil, nil
		}), ""},
		{"a finding without a position", "package a", false, analyzer("bad", func(p *analysis.Pass) (any, error) {
			p.Reportf(0, "nowhere")
			return nil, nil
		}), "has no position"},
		{"a finding without a message", "package a", false, analyzer("bad", func(p *analysis.Pass) (any, error) {
			p.Reportf(p.Files[0].Name.Pos(), "")
			return nil, nil
		}), "has no position"},
		{"a package that does not compile", "package a; var x int = true", false, nil, "swept/a: "},
		{"one that is known not to", "package a; var x int = true", true, nil, ""},
		{"one that is said not to, and does", "package a", true, nil, "is said to be broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filetest.Module(t, map[string]string{"go.mod": "module swept\n\ngo 1.24\n", "a/a.go": test.src, "b/b.go": "package b"})
			var more []*analysis.Analyzer
			if test.rule != nil {
				more = append(more, test.rule)
			}
			p := place{dir: dir, base: dir, patterns: []string{"./..."}, broken: map[string]bool{}}
			if test.broken {
				p.broken["swept/a"] = true
			}
			s := run(t.Context(), p, more...)
			var got []string
			for _, err := range s.problems {
				got = append(got, err.Error())
			}
			if all := strings.Join(got, "; "); (test.want == "") != (all == "") || !strings.Contains(all, test.want) {
				t.Errorf("got %q, want %q", all, test.want)
			}
		})
	}
}

// A function without a result is noticed.
func TestComplete(t *testing.T) {
	p := ssatest.Build(t, "package src\nfunc f() {}\nfunc g() {}\n")
	f, g := p.Func("f"), p.Func("g")
	for _, test := range []struct {
		name string
		res  lock.Result
		want string
	}{
		{"nothing to look at", lock.Result{}, ""},
		{"all", lock.Result{Funcs: []*lock.FuncResult{{Fn: f}, {Fn: g}}}, ""},
		{"a function without a result", lock.Result{Funcs: []*lock.FuncResult{{Fn: f}}}, "g has no result"},
	} {
		err := complete([]*ssa.Function{f, g}, &test.res)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

func TestCompare(t *testing.T) {
	finding := func(line int, message string) report.Finding {
		return report.Finding{Rule: "lockheld", Category: "lockheld/leak", Place: report.Place{File: "a.go", Line: line, Column: 1}, Package: "a", Message: message}
	}
	now := found([]report.Finding{finding(1, "x"), finding(2, "y"), {Rule: "startctx", Message: "z"}})
	if len(now) != 2 {
		t.Fatalf("%d findings of lockheld, want 2", len(now))
	}
	known := found([]report.Finding{finding(1, "x"), finding(2, "old")})
	for i := range known {
		known[i].Verdict, known[i].Reason = "right", "it is so"
	}
	merged, differences := compare(known, now, judgement.same)
	if got := strings.Join(differences, "; "); got != "new: a.go:2: y (lockheld/leak); gone: a.go:2: old (lockheld/leak)" {
		t.Errorf("differences: %s", got)
	}
	if merged[0].Verdict != "right" || merged[1].Verdict != "" {
		t.Errorf("merged: %+v", merged)
	}
	// In another release, lines have moved.
	moved := found([]report.Finding{finding(5, "x at line 4"), finding(9, "old")})
	known[0].Key = moved[0].Key
	if _, differences := compare(known, moved, judgement.alike); differences != nil {
		t.Errorf("moved: %s", differences)
	}
	if _, differences := compare(known, moved, judgement.same); len(differences) != 4 {
		t.Errorf("moved, where nothing may: %s", differences)
	}
	if _, differences := compare(known, moved[:1], judgement.alike); len(differences) != 1 {
		t.Errorf("moved, and one gone: %s", differences)
	}
	moved[1].Confidence = "certain"
	if _, differences := compare(known, moved, judgement.alike); len(differences) != 2 {
		t.Errorf("moved, and more certain: %s", differences)
	}
	if unjudged(known) != nil {
		t.Error("judged findings are an error")
	}
	if unjudged(merged) == nil {
		t.Error("a finding that nobody has judged is none")
	}
	merged[1].Verdict = "fine"
	merged[1].Reason = "so"
	if unjudged(merged) == nil {
		t.Error("any word is a verdict")
	}
}

func TestChoose(t *testing.T) {
	if all, err := choose(""); err != nil || len(all) != len(bodies) {
		t.Errorf("all: got %d, %v", len(all), err)
	}
	if some, err := choose("etcd,std"); err != nil || len(some) != 2 || some[0].name != "etcd" {
		t.Errorf("some: got %v, %v", some, err)
	}
	if _, err := choose("nothing"); err == nil {
		t.Error("a body that is not there is none")
	}
}
