package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/mirrortest"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// committed is the data of the repository, and its limits.
func committed(t *testing.T) (*record.Data, Limits) {
	t.Helper()
	d, err := record.Read(os.DirFS("data"))
	if err != nil {
		t.Fatal(err)
	}
	limits, err := readLimits("data")
	if err != nil {
		t.Fatal(err)
	}
	return d, limits
}

// The limits are what the data says, so that none of them leaves room for a loss.
func TestLimits(t *testing.T) {
	d, limits := committed(t)
	s := stand(d)
	for _, list := range lists {
		if got := (Limit{s.lists[list][lostRight], s.lists[list][verdict.Wrong]}); got != limits.of(list) {
			t.Errorf("%s: the data has %+v, gate.json %+v", list, got, limits.of(list))
		}
		if s.lists[list][verdict.Right] == 0 {
			t.Errorf("%s has no right finding", list)
		}
	}
}

// TestPlantedLosses runs the code of one finding of the data again. A right one that is lost is beyond the limits, in each of the lists, and so is one that nobody
// has judged; a weak one is not.
func TestPlantedLosses(t *testing.T) {
	for _, test := range []struct {
		name, list, verdict string
		lose, more, beyond  bool // the finding is not found this time; another one is; that is beyond the limits
	}{
		{"as it is", record.Modules, verdict.Right, false, false, false},
		{"of a module", record.Modules, verdict.Right, true, false, true},
		{"of a tree", record.Trees, verdict.Right, true, false, true},
		{"of fresh code", record.Fresh, verdict.Right, true, false, true},
		{"one for another", record.Modules, verdict.Right, true, true, true},
		{"weak", record.Trees, verdict.Weak, true, false, false},
		{"not judged", record.Modules, verdict.Weak, false, true, true},
		{"new in fresh code", record.Fresh, verdict.Weak, false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, limits := committed(t)
			var target *record.Target
			i := slices.IndexFunc(d.Findings, func(f *record.Finding) bool {
				j := slices.IndexFunc(d.Targets, func(t *record.Target) bool { return t.Of(f) })
				target = d.Targets[j]
				return target.List == test.list && !f.Gone && f.Counts() == test.verdict
			})
			lost := d.Findings[i]
			var is []*record.Finding
			for _, f := range findingsOf(d, target) {
				if !f.Gone && !(test.lose && f == lost) {
					now := *f
					now.Check, now.Site = d.Renamed("check", f.Check), d.Renamed("site", f.Site)
					now.Key.Category = now.Check
					is = append(is, &now)
				}
			}
			if test.more {
				more := *lost
				more.Check = d.Renamed("check", lost.Check)
				more.Key.Category = more.Check
				more.File, more.Key.Function, more.Verdicts = "more.go", "More", nil
				is = append(is, &more)
			}
			was, site, words := stand(d), lost.Site, lost.String()
			c := compare(d, findingsOf(d, target), is)
			var out strings.Builder
			if differs := c.print(&out, d); differs != (test.lose || test.more) {
				t.Errorf("the run differs: %t", differs)
			}
			c.apply(d)
			if beyond := judge(&out, limits, was, stand(d), map[string]int{test.list: 1}); beyond != test.beyond {
				t.Errorf("beyond the limits: %t, want %t:\n%s", beyond, test.beyond, out.String())
			}
			if test.lose && (!strings.Contains(out.String(), "lost     "+test.verdict+": "+words) || !strings.Contains(out.String(), "\n| "+site+" |")) {
				t.Errorf("the loss at %s is not listed:\n%s", site, out.String())
			}
			if test.lose && test.verdict == verdict.Right && !strings.Contains(out.String(), "right and lost: "+words) {
				t.Errorf("the right one that is lost is not named:\n%s", out.String())
			}
		})
	}

	// A wrong finding that is reported again.
	d, limits := committed(t)
	was := stand(d)
	i := slices.IndexFunc(d.Findings, func(f *record.Finding) bool { return f.Gone && f.Counts() == verdict.Wrong })
	d.Findings[i].Gone = false
	if !judge(new(strings.Builder), limits, was, stand(d), nil) {
		t.Error("a wrong finding that is reported again is within the limits")
	}
}

// TestGate runs the verb with a tool that prints what it is to find.
func TestGate(t *testing.T) {
	serve(t)
	dir, shas := mirrortest.Make(t, "o/r", map[string]string{"go.mod": goMod, "m.go": held})
	target := module("example.com/m@v1.0.0")
	target.Packages, target.Short = 1, true
	tree := &record.Target{Name: "r", List: record.Trees, Source: "o/r", At: shas[0], Patterns: []string{"./..."}, Packages: 1}
	finding := func(list, source, at string) *record.Finding {
		return &record.Finding{
			List: list, Split: record.SplitTuned, Source: source, At: at, Check: "lockheld/relock", Site: "second-lock", File: "m.go", Line: 19, Message: "m",
			Verdicts: []record.Verdict{{Reader: "first", Verdict: verdict.Right, Reason: "w"}},
		}
	}
	root := t.TempDir()
	data := filepath.Join(root, "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	d := &record.Data{Targets: []*record.Target{target, tree}, Findings: []*record.Finding{finding(record.Modules, "example.com/m", "v1.0.0"), finding(record.Trees, "o/r", shas[0])}}
	if err := d.Write(data); err != nil {
		t.Fatal(err)
	}
	const (
		packages = "echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2; "
		prints   = packages + `printf '{"rule":"lockheld","category":"lockheld/relock","site":"second-lock","file":"m.go","line":19,"message":"m"}'; exit 1`
	)
	limits := `{"modules":{"lost":0,"wrong":0},"trees":{"lost":0,"wrong":0},"fresh":{"lost":0,"wrong":0},"unjudged":0}`
	for _, test := range []struct {
		name, script, limits string
		short, mirrors       bool
		want                 string
		says                 []string
	}{
		{"all is found", prints, limits, true, false, "same", []string{"| modules | 1 | 0 | 0 | 0 | 0 | 1 of 1 | ok |", "| trees | 1 | 0 | 0 | 0 | 0 | 0 of 1 | ok |"}},
		{"lost", packages, limits, true, false, "differs", []string{"lost     right: example.com/m m.go:19", "| modules | 0 | 1 | 0 | 0 | 0 | 1 of 1 | beyond the limit |"}},
		{"lost, and allowed", packages, strings.Replace(limits, `"lost":0`, `"lost":1`, 1), true, false, "same", []string{"lost     right"}},
		{"fewer packages", strings.Replace(prints, "packages: 1", "packages: 0", 1), limits, true, false, "differs", []string{"packages: 0, were 1"}},
		{"a package fails", strings.Replace(prints, "exit 1", "echo 'ctrllint: m: cannot be loaded' >&2; exit 2", 1), limits, true, false, "differs", []string{`failures: ["m: cannot be loaded"]`}},
		{"a panic", "echo 'panic: boom' >&2; exit 2", limits, true, false, "failure", []string{"m: ctrllint did not say what it has analysed", "panic: boom", "0 of 1"}},
		{"trees, without fresh code", prints, limits, false, true, "failure", []string{"| trees | 1 | 0 | 0 | 0 | 0 | 1 of 1 | ok |", "there is no target of fresh to run"}},
		{"no limits", prints, "", true, false, "failure", []string{"gate.json"}},
		{"another limit", prints, `{"module":1}`, true, false, "failure", []string{"unknown field"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(root, "gate.json")
			err := os.RemoveAll(name)
			if err == nil && test.limits != "" {
				err = os.WriteFile(name, []byte(test.limits), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			o := options{data: data, tool: fake(t, test.script), short: test.short}
			if test.mirrors {
				o.mirrors = dir
			}
			expect(t, "gate", o, test.want, test.says...)
		})
	}
}

// What the command does not know is an error, and each verb of its documentation is there.
func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                     "usage: eval fixes|fresh|gate|modules|programs|table|trees [flags]",
		"golden":               "usage: ",
		"modules -mirrors x":   "flag provided but not defined: -mirrors",
		"gate -only x":         "flag provided but not defined: -only",
		"fixes -short":         "flag provided but not defined: -short",
		"modules x":            `eval modules: "x" is no flag`,
		"modules -data /no/no": "eval: ",
	} {
		var stdout, stderr strings.Builder
		if code := run(t.Context(), &stdout, &stderr, strings.Fields(args)); code != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: exit code %d, want 2, and %q in %q", args, code, want, stderr.String())
		}
	}
	for name := range maps.Keys(verbs) {
		if new(options).flags(name).Lookup("data") == nil {
			t.Error(fmt.Sprint(name, " has no flag -data"))
		}
	}
}
