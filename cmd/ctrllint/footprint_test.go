package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

// A stated is an inventory that is not computed.
type stated string

func (f *stated) Inventory() []byte {
	if *f == "" {
		return nil
	}
	return []byte("[" + *f + "]")
}

// statedFootprint has an inventory of each program that declares a function Manager. With the tag secrets it holds more.
var statedFootprint = &analysis.Analyzer{
	Name: "stated", Doc: "inventories that are not computed", ResultType: reflect.TypeFor[*stated](),
	Run: rule.Wrap("stated", new(stated), func(pass *analysis.Pass) (any, error) {
		scope := pass.Pkg.Scope()
		if scope.Lookup("Manager") == nil {
			return new(stated), nil
		}
		informers := ""
		if scope.Lookup("Secrets") != nil {
			informers = `{"kind":"v1 Secret","form":"typed","scope":"cluster","causes":[{"role":"List","at":"example.com/m/lib/x.go:3:6"}]}`
		}
		f := stated(`{"program":"` + pass.Pkg.Path() + `","managers":["` + pass.Pkg.Path() + `/main.go:5:1"],"informers":[` + informers + `],"requests":[],"places":0}`)
		return &f, nil
	}),
}

// runFootprint runs the command in dir, with the inventories of statedFootprint.
func runFootprint(dir, args string) (stdout, stderr string, code int) {
	var out, errs strings.Builder
	code = printFootprint(statedFootprint)(analyzers.All(), append([]string{"-C", dir}, strings.Fields(args)...), &out, &errs)
	return out.String(), errs.String(), code
}

func TestFootprint(t *testing.T) {
	const manager = "package main\n\nfunc main() {}\n\nfunc Manager() {}\n"
	dir := filetest.Module(t, map[string]string{
		"cmd/manager/main.go":    manager,
		"cmd/manager/secrets.go": "//go:build secrets\n\npackage main\n\nimport _ \"example.com/m/lib\"\n\nfunc Secrets() {}\n",
		"cmd/agent/main.go":      manager,
		"cmd/tool/main.go":       "package main\n\nfunc main() {}\n",
		"lib/x.go":               "package lib\n\nfunc F() {}\n",
		"broken/x.go":            "package broken\n\nvar X int = \"\"\n",
		"findings.json":          `{"rule":"lockheld"}`,
		".ctrllint.yml":          "format: sarif\ndisable: [lockheld]\noptions: {lockheld: {blocks: [example.com/m/lib.F]}}\n",
	})
	const programs = "./cmd/... ./lib"
	before, stderr, code := runFootprint(dir, "-format json "+programs)
	if code != exitClean || strings.Count(before, `"program"`) != 2 || stderr != "ctrllint: note: without a manager, and so without a footprint: example.com/m/cmd/tool\n" {
		t.Fatalf("exit code %d, stdout %s, stderr %q", code, before, stderr)
	}
	filetest.Write(t, dir, map[string]string{"before.json": before})
	const note = `ctrllint: note: without a manager, and so without a footprint: example\.com/m/cmd/tool\n`
	for _, test := range []struct {
		args, stdout, stderr string // patterns; empty for silence
		code                 int
	}{
		{programs, `^example\.com/m/cmd/agent \(manager at cmd/agent/main\.go:5\)\n\nThe cache holds nothing\.\n\nexample\.com/m/cmd/manager .*\n`, note, exitClean},
		{"./cmd/manager", `^example\.com/m/cmd/manager .*\n`, "", exitClean},
		{"-tags secrets ./cmd/manager", `  v1 Secret  typed  cluster  List at lib/x\.go:3\n`, "", exitClean},
		{"-format md -cache off -q ./cmd/agent", `^## example\.com/m/cmd/agent\n`, "", exitClean},

		{"-diff before.json " + programs, `^The footprint is the same\.\n$`, note, exitClean},
		{"-diff before.json -tags secrets ./cmd/manager", `^the cache of example\.com/m/cmd/manager holds every v1 Secret of the cluster from now on: List at lib/x\.go:3\n$`,
			`ctrllint: note: in before\.json, but not among the packages: example\.com/m/cmd/agent\n`, exitClean},
		{"-diff before.json -fail-on-new -tags secrets " + programs, `^the cache of`, note, exitFindings},
		{"-diff before.json -fail-on-new " + programs, `^The footprint is the same`, note, exitClean},

		{"", `^example\.com/m/cmd/agent (.*\n)+example\.com/m/cmd/manager`, `ctrllint: example\.com/m/broken: .*\n` + note, exitFailure},
		{"-diff before.json -fail-on-new -tags secrets ./...", `^the cache of`, `ctrllint: example\.com/m/broken: .*\n` + note, exitFailure},
		{"./cmd/tool", "", note + `ctrllint: no program: the packages have no main package that makes a manager\n`, exitFailure},
		{"./lib", "", `ctrllint: no program: .*\n`, exitFailure},
		{"./nowhere", "", `ctrllint: .*nowhere.*\n`, exitFailure},
		{"-format sarif", "", `ctrllint: unknown format "sarif": text, json or md \(see ctrllint help\)\n`, exitFailure},
		{"-diff nowhere.json", "", `ctrllint: -diff nowhere\.json: no such file or directory\n`, exitFailure},
		{"-diff findings.json", "", `ctrllint: -diff findings\.json is not what ctrllint footprint -format json has written: .*\n`, exitFailure},
		{"-fail-on-new", "", `ctrllint: -fail-on-new needs -diff FILE\n`, exitFailure},
		{"-fail-on-now", "", `ctrllint: flag provided but not defined: -fail-on-now \(did you mean -fail-on-new\? .*\)\n`, exitFailure},
		{"-lockheld", "", `ctrllint: flag provided but not defined: -lockheld .*\n`, exitFailure},
		{"./lib -q", "", `ctrllint: flag -q comes after the packages: .*\n`, exitFailure},
		{"-h", `^ctrllint finds bugs`, "", exitClean},
	} {
		stdout, stderr, code := runFootprint(dir, test.args)
		if code != test.code || test.stdout == "" && stdout != "" || !matches(test.stdout, stdout) || !regexp.MustCompile(`^`+test.stderr+`$`).MatchString(stderr) {
			t.Errorf("footprint %s: exit code %d, want %d\nstdout %s\nstderr %s", test.args, code, test.code, stdout, stderr)
		}
	}
	if err := os.Remove(filepath.Join(dir, "cmd/agent/main.go")); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"cmd/agent/main.go": "package main\n\nfunc main() {}\n"})
	if stdout, _, code := runFootprint(dir, "-diff before.json -fail-on-new "+programs); code != exitClean || stdout != "example.com/m/cmd/agent is no longer a program with a manager\n" {
		t.Errorf("without a manager: exit code %d, stdout %q", code, stdout)
	}
}

// The example of docs/footprint.md is what the command prints of the demo.
func TestFootprintExample(t *testing.T) {
	t.Parallel()
	const name = "../../docs/footprint.md"
	got, stderr, code := command(t, ".", tool, "footprint", "-C", demoDir)
	if code != exitClean || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "```text\n")
	want, after, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatalf("%s has no example", name)
	}
	if os.Getenv(ruletest.UpdateGolden) != "" {
		if err := os.WriteFile(name, []byte(before+"```text\n"+got+"```\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("%s has\n%s\nand the command prints\n%s", name, want, got)
	}
}
