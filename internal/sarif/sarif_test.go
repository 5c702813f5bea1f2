package sarif_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/sarif"
	"github.com/ctrllint/ctrllint/internal/sariftest"
	"github.com/ctrllint/ctrllint/internal/source"
)

var update = flag.Bool("update", false, "write the golden file")

func write(t *testing.T, r sarif.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := sarif.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	sariftest.Valid(t, b.Bytes())
	return b.Bytes()
}

// repository is a folder with a file in a module below the top.
func repository(t *testing.T) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	dir = filepath.Join(root, "my operator")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "package p\n\nfunc (s *store) twice() {\n\ts.mu.Lock()\n\t/* ö𝄞 */ s.mu.Lock()\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return root, dir
}

func place(file string, line, column int) report.Place {
	return report.Place{File: file, Line: line, Column: column}
}

// TestGolden has one of everything. go test -update writes the file anew.
func TestGolden(t *testing.T) {
	root, dir := repository(t)
	got := write(t, sarif.Run{
		Version: "v1.2.3",
		Findings: []report.Finding{
			{
				Rule: "lockheld", Category: "lockheld/relock", Place: place("a.go", 5, 25), EndLine: 5, EndColumn: 25,
				Package: "example.com/m", Function: "(*store).twice", Confidence: "certain",
				Message: "s.mu (locked at line 4) is locked again, which deadlocks",
				Related: []report.Related{
					{Place: place("a.go", 4, 11), Message: "s.mu is locked here"},
					{Place: place("../other/b.go", 9, 3), Message: "calls <x>"},
				},
				Fixes: []report.Fix{{Message: "Drop the second Lock", Edits: []report.Edit{
					{File: "a.go", Start: 50, End: 61, Line: 5, Column: 14, EndLine: 5, EndColumn: 25},
					{File: "a.go", Start: 10, End: 10, Line: 2, Column: 1, EndLine: 2, EndColumn: 1, NewText: "import \"x\"\n"},
					{File: "../other/b.go", Start: 0, End: 3, Line: 1, Column: 1, EndLine: 1, EndColumn: 4, NewText: "y"},
				}}},
			},
			{
				Rule: "lockheld", Category: "lockheld/relock", Place: place("a.go", 5, 16), EndLine: 5, EndColumn: 20,
				Package: "example.com/m", Function: "(*store).twice", Confidence: "possible",
				Message:    "s.mu (locked at line 7) is locked again, which deadlocks",
				Suppressed: &report.Suppression{Kind: "inSource", Reason: "the other one is a copy"},
			},
			{
				Rule: "startctx", Category: "startctx/new", Place: place("/elsewhere/c d.go", 1, 1), EndLine: 3, EndColumn: 2,
				Package: "example.com/m", Message: "of a rule that has no page",
			},
		},
		Failures: []string{"example.com/m/broken: cannot use \"\""},
		Warnings: []string{"results are not kept for the next run: disk full"},
		Source:   &source.Files{Dir: dir},
		Root:     root,
	})
	got = bytes.ReplaceAll(got, []byte("file://"+filepath.ToSlash(root)), []byte("file:///ROOT"))
	const golden = "testdata/golden.sarif"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it):\n%s", golden, got)
	}
}

// Whatever the rules are, they come with their pages; without findings the results are an empty list.
func TestRules(t *testing.T) {
	root, dir := repository(t)
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID, HelpURI string
						Help        struct{ Text, Markdown string }
					}
				}
			}
			Results     []any
			Invocations []struct{ ExecutionSuccessful bool }
		}
	}
	out := write(t, sarif.Run{Rules: analyzers.All(), Source: &source.Files{Dir: dir}, Root: root})
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(out, []byte(`"results": []`)) || !log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Errorf("a clean run is not told as one:\n%s", out)
	}
	seen := make(map[string]bool)
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		rule, sub, _ := strings.Cut(r.ID, "/")
		seen[rule] = true
		if want := fmt.Sprintf("/docs/rules/%s/%s.md", rule, sub); !strings.HasSuffix(r.HelpURI, want) {
			t.Errorf("%s: help is at %s", r.ID, r.HelpURI)
		}
		if r.Help.Text == "" || !strings.HasPrefix(r.Help.Markdown, "# "+r.ID+"\n") || !strings.Contains(r.Help.Markdown, "## How to turn it off") {
			t.Errorf("%s: the help is %+v", r.ID, r.Help)
		}
	}
	for _, a := range analyzers.All() {
		if !seen[a.Name] {
			t.Errorf("%s has no rule", a.Name)
		}
	}
}

// The severity is the level of a result; what is possible only is a warning at most.
func TestLevels(t *testing.T) {
	root, dir := repository(t)
	finding := func(severity, confidence string) report.Finding {
		return report.Finding{Category: "lockheld/relock", Place: place("a.go", 5, 16), Message: "m", Severity: severity, Confidence: confidence}
	}
	var log struct {
		Runs []struct{ Results []struct{ Level string } }
	}
	out := write(t, sarif.Run{Source: &source.Files{Dir: dir}, Root: root, Findings: []report.Finding{
		finding("error", "certain"), finding("error", "possible"), finding("warning", "certain"), finding("", "possible"), finding("", ""),
	}})
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(log.Runs[0].Results)
	if want := "[{error} {warning} {warning} {warning} {error}]"; got != want {
		t.Errorf("levels %s, want %s", got, want)
	}
}
