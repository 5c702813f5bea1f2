//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// operator is real code that is analysed by all front ends: two packages of module@version, which shares its dependencies
// with testdata, or all of a folder named by E2E_OPERATOR, whose dependencies may take minutes to compile.
const operator = "sigs.k8s.io/controller-runtime@v0.24.1"

// A program is one that all front ends analyse.
type program struct {
	dir      string
	patterns []string
}

// TestSameFindings compares what the command, go vet and golangci-lint find in the examples, in the operator of `make demo`, and in a
// real one, or in all of the one that E2E_OPERATOR names.
func TestSameFindings(t *testing.T) {
	golangci := buildModule(t)
	programs := map[string]program{"operator": operatorOf(t)}
	if os.Getenv("E2E_OPERATOR") == "" {
		programs["testdata"] = program{filepath.Join(root, "testdata"), []string{"./..."}}
		programs["demo"] = program{demoCopy(t), []string{"./..."}}
	}
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			want := standalone(t, p)
			if len(want) == 0 {
				t.Fatal("the command finds nothing")
			}
			t.Logf("%d findings", len(want))
			differ(t, "go vet", goVet(t, p), want)
			differ(t, "golangci-lint", lint(t, golangci, p), want)
		})
	}
}

func operatorOf(t *testing.T) program {
	if dir := os.Getenv("E2E_OPERATOR"); dir != "" {
		return program{dir, []string{"./..."}}
	}
	// A copy, since the files of the module cache count as a dependency's.
	var m struct{ Dir string }
	out := must(t, t.TempDir(), nil, "go", "mod", "download", "-json", operator)
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	must(t, dir, nil, "cp", "-r", m.Dir+"/.", ".")
	must(t, dir, nil, "chmod", "-R", "u+w", ".")
	return program{dir, []string{"./pkg/manager", "./pkg/cache"}}
}

// needsModule reports whether the finding is of a check that all programs of a module decide: front ends that see one
// program at a time are silent.
func needsModule(finding string) bool { return strings.Contains(finding, "optionalderef/unchecked") }

// differ fails t where the sorted findings of another front end are not those of the command.
func differ(t *testing.T, who string, got, want []string) {
	t.Helper()
	for _, f := range want {
		if !slices.Contains(got, f) && !needsModule(f) {
			t.Errorf("%s does not find %s", who, f)
		}
	}
	for _, f := range got {
		if !slices.Contains(want, f) {
			t.Errorf("only %s finds %s", who, f)
		}
	}
}

// place is a finding as all front ends have it.
func place(dir, file string, line int, rule, message string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return fmt.Sprintf("%s:%d: %s: %s", filepath.ToSlash(file), line, rule, message)
}

func standalone(t *testing.T, p program) []string {
	dir := p.dir
	r := run(t, dir, nil, ctrllint, append([]string{"-format", "json"}, p.patterns...)...)
	if r.code != 1 {
		t.Fatalf("exit code %d\n%s", r.code, r.out)
	}
	var out []string
	for line := range strings.Lines(r.out) {
		if !strings.HasPrefix(line, "{") { // a note
			continue
		}
		var f struct {
			Rule, Category, File, Message string
			Line                          int
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		out = append(out, place(dir, f.File, f.Line, f.Rule, f.Message+" ("+f.Category+")"))
	}
	return sorted(out)
}

// sorted are the findings, each once. The examples of the rule suppression are left out: golangci-lint applies nolint
// comments by itself, and knows the names of its plugins only. So are those of functions that no program calls, and of predicates that are made for other packages: the
// command alone sees all programs of a module, and leaves alone there what the others say at once.
func sorted(findings []string) []string {
	findings = slices.DeleteFunc(findings, func(f string) bool {
		return strings.HasPrefix(f, "suppression/") || strings.HasPrefix(f, "optin/") && strings.Contains(f, "/uncalled/")
	})
	slices.Sort(findings)
	return slices.Compact(findings)
}

func goVet(t *testing.T, p program) []string {
	dir := p.dir
	r := run(t, dir, nil, "go", append([]string{"vet", "-json", "-vettool=" + ctrllint}, p.patterns...)...)
	var out []string
	text := r.out
	for {
		i := strings.Index(text, "{")
		if i < 0 {
			return sorted(out)
		}
		dec := json.NewDecoder(strings.NewReader(text[i:]))
		var pkgs map[string]map[string]json.RawMessage
		if err := dec.Decode(&pkgs); err != nil {
			t.Fatalf("%v in\n%s", err, text[i:])
		}
		text = text[i+int(dec.InputOffset()):]
		for _, rules := range pkgs {
			for rule, raw := range rules {
				var found []struct{ Posn, Message string }
				if err := json.Unmarshal(raw, &found); err != nil {
					t.Fatalf("%s: %s", rule, raw)
				}
				for _, f := range found {
					parts := strings.Split(f.Posn, ":") // file:line:column
					var line int
					if _, err := fmt.Sscan(parts[len(parts)-2], &line); err != nil {
						t.Fatal(err)
					}
					out = append(out, place(dir, strings.Join(parts[:len(parts)-2], ":"), line, rule, f.Message))
				}
			}
		}
	}
}

func lint(t *testing.T, golangci string, p program) []string {
	dir := p.dir
	config := filepath.Join(t.TempDir(), "golangci.yml")
	report := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(config, []byte(`version: "2"
linters:
  default: none
  enable: [ctrllint]
  settings:
    custom:
      ctrllint: {type: module}
issues: {max-issues-per-linter: 0, max-same-issues: 0, uniq-by-line: false}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := run(t, dir, []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}, golangci, append([]string{"run", "--allow-parallel-runners", "-c", config, "--path-mode=abs", "--output.json.path=" + report}, p.patterns...)...)
	if r.code != 1 {
		t.Fatalf("exit code %d\n%s", r.code, r.out)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var issues struct {
		Issues []struct {
			Text string
			Pos  struct {
				Filename string
				Line     int
			}
		}
	}
	if err := json.Unmarshal(data, &issues); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range issues.Issues {
		rule, message, _ := strings.Cut(i.Text, ": ")
		out = append(out, place(dir, i.Pos.Filename, i.Pos.Line, rule, message))
	}
	return sorted(out)
}
