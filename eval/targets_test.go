package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mirrortest"
	"github.com/ctrllint/ctrllint/internal/proxytest"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

const (
	goMod = "module example.com/m\n\ngo 1.26\n"
	// What imports the module that the folder holds cannot be loaded, and nothing else.
	replacing = goMod + "\nrequire example.com/api v0.0.0\n\nreplace example.com/api => ./api\n"
)

func serve(t *testing.T) {
	proxytest.Serve(t, map[string]map[string]string{
		"example.com/m@v1.0.0":      {"go.mod": goMod, "m.go": held},
		"example.com/m@v1.1.0":      {"go.mod": replacing, "m.go": held, "sub/sub.go": "package sub\n\nimport _ \"example.com/api\"\n"},
		"example.com/secret@v1.0.0": {"go.mod": "module example.com/secret\n"},
		"example.com/needy@v1.0.0":  {"go.mod": "module example.com/needy\n\ngo 1.26\n\nrequire example.com/secret v1.0.0\n", "needy.go": "package needy\n\nimport _ \"example.com/secret\"\n"},
	})
}

// module is a target for path@version.
func module(name string) *record.Target {
	path, version, _ := strings.Cut(name, "@")
	return &record.Target{Name: filepath.Base(path), List: record.Modules, Source: path, At: version, Patterns: []string{"./..."}}
}

// expect runs a verb, and wants what it reports, in the exit code's words, and each of the texts, or not, where they begin so.
func expect(t *testing.T, verb string, o options, want string, texts ...string) {
	t.Helper()
	var out strings.Builder
	differs, err := verbs[verb].run(t.Context(), &out, &o)
	got := map[bool]string{false: "same", true: "differs"}[differs]
	if err != nil {
		got = "failure"
		out.WriteString("eval: " + err.Error() + "\n")
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, text := range texts {
		if bare, no := strings.CutPrefix(text, "not "); strings.Contains(out.String(), bare) == no {
			t.Errorf("want %q", text)
		}
	}
	if t.Failed() {
		t.Fatalf("the output is\n%s", out.String())
	}
}

// edit changes the data in the folder.
func edit(t *testing.T, dir string, change func(*record.Data)) {
	t.Helper()
	d, err := record.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	change(d)
	if err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// The life of a finding: nothing passes until it is judged, what is lost stays with its verdict, and what comes back has it.
func TestModules(t *testing.T) {
	tool, err := gocommand.Tool(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	serve(t)
	o := options{data: write(t, &record.Data{Targets: []*record.Target{module("example.com/m@v1.0.0")}}), tool: tool}
	update := o
	update.update = true

	expect(t, "modules", o, "differs", "m: 1 packages, 1 findings", "not changed", "gained   not judged: example.com/m m.go:19 lockheld/relock (second-lock): ")
	expect(t, "modules", update, "differs", "unjudged example.com/m m.go:19", "nobody has judged it")
	expect(t, "modules", o, "differs", "not gained", "unjudged example.com/m m.go:19")
	edit(t, o.data, func(d *record.Data) {
		d.Findings[0].Verdicts = []record.Verdict{{Reader: "first", Verdict: verdict.Right}}
	})
	expect(t, "modules", o, "differs", "the verdict has no reason")
	edit(t, o.data, func(d *record.Data) { d.Findings[0].Verdicts[0].Reason = "it hangs" })
	expect(t, "modules", o, "same")

	edit(t, o.data, func(d *record.Data) { d.Findings[0].Line, d.Findings[0].Message = 3, "another one" })
	expect(t, "modules", o, "differs", "moved    right: example.com/m m.go:3", "place: m.go:19:", "message: s.mu")
	edit(t, o.data, func(d *record.Data) {
		f := *d.Findings[0]
		f.Key.Function, f.Line, f.Message = "Gone", 70, "it is not there"
		d.Findings = append(d.Findings, &f)
	})
	expect(t, "modules", update, "same", "lost     right: example.com/m m.go:70")
	expect(t, "modules", o, "same", "not lost")
	edit(t, o.data, func(d *record.Data) {
		if len(d.Findings) != 2 || !d.Findings[1].Gone || d.Findings[1].Counts() != verdict.Right {
			t.Errorf("what is lost is %s", d.Findings[1])
		}
		d.Findings[0].Gone = true
	})
	expect(t, "modules", o, "differs", "back     right: example.com/m m.go:19")

	edit(t, o.data, func(d *record.Data) {
		d.Targets[0].At = "v1.1.0"
		for _, f := range d.Findings {
			f.At = "v1.1.0"
		}
	})
	expect(t, "modules", o, "differs", "changed  packages: 2, were 1", `"example.com/api: sub/sub.go:3:10: no required module provides package example.com/api`)

	o.list, o.tool = true, "/does/not/exist"
	expect(t, "modules", o, "same", "m\texample.com/m@v1.1.0 ./...")
	o.only = "n"
	expect(t, "modules", o, "failure", "-only n: no target of modules that is to run is named so")
	expect(t, "trees", options{data: o.data}, "failure", "there is no target of trees to run")
}

// What could not be run is no difference, and does not keep other modules from their runs.
func TestModulesFail(t *testing.T) {
	serve(t)
	const whole = "echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2; "
	t.Setenv("GOFLAGS", "-modcacherw -mod=mod") // so that the module needs no go.sum
	data := write(t, &record.Data{Targets: []*record.Target{module("example.com/gone@v1.0.0"), module("example.com/needy@v1.0.0"), module("example.com/m@v1.0.0")}})
	expect(t, "modules", options{data: data, tool: fake(t, whole)}, "failure", "gone: ", "example.com/gone@v1.0.0: reading file:", "needy: example.com/secret: ", "m: 1 packages, 0 findings")

	data = write(t, &record.Data{Targets: []*record.Target{module("example.com/m@v1.0.0")}})
	for script, want := range map[string]string{
		"echo 'panic: boom' >&2; exit 2": "panic: boom",
		"kill $$":                        "signal: terminated",
		`printf '{"rule":'`:              "the findings: ",
		whole + "exit 7":                 "exit code 7, with 0 findings and 0 failures",
		whole + `printf '{"rule":"x","file":"m.go","message":"m"}'`:    "exit code 0, with 1 findings and 0 failures",
		`printf '{"rule":"x","file":"../m.go","message":"m"}'; exit 1`: "a finding in ../m.go, which is not below the module",
		"true": "ctrllint did not say what it has analysed",
	} {
		expect(t, "modules", options{data: data, tool: fake(t, script)}, "failure", want)
	}
	expect(t, "modules", options{data: data, tool: filepath.Join(data, "missing")}, "failure", "missing")
}

// fake is a tool that does what the shell script says.
func fake(t *testing.T, script string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ctrllint")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// Trees and fresh code come from mirrors. What is new in fresh code is not written down: nobody has judged it who did not know the rules.
func TestMirrors(t *testing.T) {
	dir, shas := mirrortest.Make(t, "o/r", map[string]string{"sub/go.mod": goMod, "sub/m.go": held})
	tree := &record.Target{Name: "r", List: record.Trees, Source: "o/r", At: shas[0], Folder: "sub", Patterns: []string{"./..."}, Packages: 1}
	f := &record.Finding{
		List: "measure1", Split: record.SplitFresh, Source: "o/r", At: shas[0], Folder: "sub", Check: "lockheld/relock", Site: "second-lock", File: "m.go", Line: 18, Message: "m",
		Verdicts: []record.Verdict{{Reader: "first", Verdict: verdict.Weak, Reason: "w"}, {Reader: "second", Verdict: verdict.Right}},
	}
	lost := *f
	lost.Line = 90
	again := *tree
	again.List, again.Packages = record.Fresh, 0
	o := options{data: write(t, &record.Data{Targets: []*record.Target{tree, &again}, Findings: []*record.Finding{f, &lost}})}
	expect(t, "trees", o, "failure", "it is in a mirror: want -mirrors")
	expect(t, "fresh", o, "failure", "it is in a mirror: want -mirrors")
	o.mirrors = dir
	expect(t, "trees", o, "differs", "r: 1 packages, 1 findings", "gained   not judged: o/r sub/m.go:19")
	expect(t, "fresh", o, "differs", "moved    weak: o/r sub/m.go:18", "lost     weak: o/r sub/m.go:90")
	o.update = true
	expect(t, "fresh", o, "same")
	o.update = false
	expect(t, "fresh", o, "same", "not lost", "not moved")
	o.only = "o/r"
	expect(t, "fresh", o, "same", "r: 1 packages, 1 findings")
	o.only = "o/other"
	expect(t, "fresh", o, "failure", "-only o/other: no target of fresh")
}
