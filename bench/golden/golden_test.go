package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/proxytest"
)

// Two releases of a module. In the second one, finding A has moved, B is fixed, and C is new.
const (
	first = `package m

import "sync"

type T struct{ mu sync.Mutex }

func (t *T) A() {
	t.mu.Lock()
	t.mu.Lock()
}

func (t *T) B(bad bool) {
	t.mu.Lock()
	if bad {
		return
	}
	t.mu.Unlock()
}
`
	second = `package m

import "sync"

type T struct{ mu sync.Mutex }

func (t *T) B(bad bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
}

func (t *T) A() {
	t.mu.Lock()
	t.mu.Lock()
}

func (t *T) C() {
	t.mu.Lock()
	t.mu.Lock()
}
`
	goMod = "module example.com/m\n\ngo 1.26\n"
	// What imports the module that the folder holds cannot be loaded, and nothing else.
	replacing = goMod + "\nrequire example.com/api v0.0.0\n\nreplace example.com/api => ./api\n"
)

func serve(t *testing.T) {
	proxytest.Serve(t, map[string]map[string]string{
		"example.com/m@v1.0.0":      {"go.mod": goMod, "m.go": first},
		"example.com/m@v1.1.0":      {"go.mod": replacing, "m.go": second, "api.go": second[:10], "sub/sub.go": "package sub\n\nimport _ \"example.com/api\"\n"},
		"example.com/secret@v1.0.0": {"go.mod": "module example.com/secret\n"},
		"example.com/needy@v1.0.0":  {"go.mod": "module example.com/needy\n\ngo 1.26\n\nrequire example.com/secret v1.0.0\n", "needy.go": "package needy\n\nimport _ \"example.com/secret\"\n"},
	})
}

// list writes a list with the modules of the form path@version, under their last names.
func list(t *testing.T, dir string, modules ...string) {
	t.Helper()
	out := []Module{}
	for _, m := range modules {
		path, version, _ := strings.Cut(m, "@")
		out = append(out, Module{Name: filepath.Base(path), Path: path, Version: version, Patterns: []string{"./..."}})
	}
	data, err := json.Marshal(out)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, listName), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// expect runs the command, and wants the exit code and each of the texts.
func expect(t *testing.T, o options, code int, texts ...string) {
	t.Helper()
	var out strings.Builder
	got, err := golden(t.Context(), o, &out)
	if err != nil {
		fmt.Fprintf(&out, "golden: %v\n", err)
	}
	if got != code || (code == exitFailure) != (err != nil) {
		t.Errorf("exit code %d, want %d", got, code)
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

// edit replaces a text that has to be in the file.
func edit(t *testing.T, name string, oldNew ...string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("%s is not in\n%s", oldNew[i], text)
		}
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const empty = `{"verdict":"","reason":"","rule":"lockheld","category":"lockheld/`

// The life of a file: nothing passes until each finding is judged, and each move of a finding shows.
func TestGolden(t *testing.T) {
	binary, err := gocommand.Tool(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	serve(t)
	o := options{dir: t.TempDir(), binary: binary}
	update := o
	update.update = true
	file := filepath.Join(o.dir, "m.jsonl")

	list(t, o.dir, "example.com/m@v1.0.0")
	expect(t, o, exitDiffers, "new      the file m.jsonl", "new      m.go:9:", "new      m.go:15:", "not unjudged", "| lockheld/relock | 1 | 0 | 0 | 0 | 0 |")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a run without -update has written the file")
	}
	expect(t, update, exitSame, "new      m.go:9:")
	expect(t, o, exitDiffers, "not new ", "unjudged m.go:9:", "unjudged m.go:15:", "nobody has judged it")
	edit(t, file, empty+"relock", strings.Replace(empty, `"verdict":""`, `"verdict":"right"`, 1)+"relock")
	expect(t, o, exitDiffers, "unjudged m.go:9:", "the verdict has no reason", "unjudged m.go:15:")
	edit(t, file,
		`"right","reason":""`, `"right","reason":"A locks twice"`,
		empty+"leak", strings.Replace(empty, `"verdict":"","reason":""`, `"verdict":"maybe","reason":"B returns"`, 1)+"leak")
	expect(t, o, exitDiffers, "not unjudged m.go:9:", "unjudged m.go:15:", `"maybe" is no verdict`)
	edit(t, file, "maybe", "weak")
	expect(t, o, exitSame, "not unjudged", "m: 1 packages, 2 findings", "| example.com/m v1.0.0 | ./... | 1 | 0 | 2 | 1 | 1 | 0 | 0 |", "| lockheld/relock | 1 | 1 | 0 | 0 | 0 |")

	list(t, o.dir, "example.com/m@v1.1.0")
	moved := []string{
		"changed  module: example.com/m v1.1.0, was example.com/m v1.0.0", "changed  packages: 2, was 1",
		"new      failure: example.com/api: sub/sub.go:3:10: no required module provides package example.com/api",
		"changed  m.go:14:", "place: m.go:14:", "right: A locks twice", "new      m.go:19:", "gone     m.go:15:", "weak: B returns",
	}
	expect(t, o, exitDiffers, moved...)
	expect(t, update, exitSame, moved...)
	expect(t, o, exitDiffers, "not changed", "not gone", "not new ", "unjudged m.go:19:", "not unjudged m.go:14:")
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "A locks twice") || strings.Contains(string(data), "B returns") {
		t.Errorf("the file has %s, %v", data, err)
	}
	edit(t, file, empty+"relock", strings.Replace(empty, `"verdict":"","reason":""`, `"verdict":"wrong","reason":"C is never called"`, 1)+"relock")
	expect(t, o, exitSame, "| example.com/m v1.1.0 | ./... | 2 | 2 | 2 | 1 | 0 | 1 | 0 |")

	// What is lost of a file is new again: the failure, a finding, or one place of its way.
	edit(t, file, `{"failure":`, `{"failure":"of yesterday: `+`"}`+"\n"+`{"failure":`)
	expect(t, o, exitDiffers, "gone     failure: of yesterday")
	expect(t, update, exitSame)
	expect(t, o, exitSame)
	edit(t, file, `"column":11,`, `"column":8,`)
	expect(t, o, exitDiffers, "changed  m.go:14:11", "place: m.go:14:11, was m.go:14:8")

	// No run is needed to read the verdicts.
	o.table, o.binary = true, "/does/not/exist"
	expect(t, o, exitSame, "| lockheld/relock | 2 | 1 | 0 | 1 | 0 |", "| all | 2 | 1 | 0 | 1 | 0 |")
	o.table, o.list = false, true
	expect(t, o, exitSame, "m\texample.com/m@v1.1.0 ./...")
}

// What could not be run is no difference, and does not keep other modules from their runs.
func TestGoldenFails(t *testing.T) {
	serve(t)
	o := options{dir: t.TempDir(), binary: fake(t, "echo 'ctrllint: debug: m: 3 blocks' >&2; echo 'ctrllint: debug: 1 notes' >&2; echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2")}
	update := o
	update.update = true
	list(t, o.dir, "example.com/m@v1.0.0")
	expect(t, update, exitSame)
	expect(t, o, exitSame, "m: 1 packages, 0 findings")

	t.Setenv("GOFLAGS", "-modcacherw -mod=mod") // so that the module needs no go.sum
	list(t, o.dir, "example.com/gone@v1.0.0", "example.com/needy@v1.0.0", "example.com/m@v1.0.0")
	expect(t, o, exitFailure, "golden: gone: ", "example.com/gone@v1.0.0: reading file:", "needy: example.com/secret: ", "reading file:", "m: 1 packages, 0 findings")
	expect(t, update, exitFailure)
	if _, err := os.Stat(filepath.Join(o.dir, "gone.jsonl")); err == nil {
		t.Error("a module that was not run has a file")
	}

	list(t, o.dir, "example.com/m@v1.0.0")
	for script, want := range map[string]string{
		"echo 'panic: boom' >&2; exit 2": "panic: boom",
		"kill $$":                        "signal: terminated",
		`printf '{"rule":'`:              "the findings: ",
		"echo 'ctrllint: debug: 0 notes' >&2; echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2; exit 7":                                            "exit code 7, with 0 findings and 0 failures",
		"echo 'ctrllint: debug: 2 notes' >&2; echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2":                                                    "said 0 notes and not 2",
		`printf '{"rule":"x","file":"m.go","message":"m"}'; echo 'ctrllint: debug: 0 notes' >&2; echo 'ctrllint: debug: packages: 1 of the modules under analysis' >&2`: "exit code 0, with 1 findings and 0 failures",
		`printf '{"rule":"x","file":"../m.go","message":"m"}'; exit 1`:                                                                                                  "a finding in ../m.go, which is not below the module",
		`printf '{"rule":"x","file":"m.go","message":"m","related":[{"file":"/etc/x.go"}]}'; exit 1`:                                                                    "a finding in /etc/x.go",
		"true": "ctrllint did not say what it has analysed",
	} {
		o.binary = fake(t, script)
		expect(t, o, exitFailure, want)
	}
	o.binary = filepath.Join(o.dir, "missing")
	expect(t, o, exitFailure, "missing")

	if err := os.WriteFile(filepath.Join(o.dir, "old.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	expect(t, o, exitFailure, "no module of modules.json has", "old.jsonl")
	o.dir = filepath.Join(o.dir, "nowhere")
	expect(t, o, exitFailure, listName)
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
