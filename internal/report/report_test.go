package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/source"
)

const code = "package p\n" +
	"\n" +
	"func f() {\n" +
	"\t\ts.mu.Lock()\n" +
	"\tö\t:= s.field + `\x1b[31m`\n" +
	"  //" + "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" + "\n" +
	"}"

func at(line, column, endLine, endColumn int) report.Finding {
	return report.Finding{
		Category: "lockheld/relock", Message: "m", Place: report.Place{File: "a.go", Line: line, Column: column},
		EndLine: endLine, EndColumn: endColumn,
	}
}

func TestText(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	style := report.Style{Source: &source.Files{Dir: dir}}
	for _, test := range []struct {
		name string
		f    report.Finding
		want string
	}{
		{"call", at(4, 12, 4, 12), "\t    s.mu.Lock()\n\t    ~~~~~~~~~^\n"},
		{"name", at(3, 6, 3, 6), "\t    func f() {\n\t         ^\n"},
		{"selector", at(5, 8, 5, 8), "\t    ö\t:= s.field + `\ufffd[31m`\n\t     \t   ^~~~~~~\n"},
		{"range", at(3, 6, 3, 9), "\t    func f() {\n\t         ^~~\n"},
		{"letters of several bytes", at(5, 2, 5, 6), "\t    ö\t:= s.field + `\ufffd[31m`\n\t    ^~~\n"},
		{"several lines", at(3, 10, 7, 2), "\t    func f() {\n\t             ^\n"},
		{"last line", at(7, 1, 7, 1), "\t    }\n\t    ^\n"},
		{"in the indentation", at(4, 1, 4, 1), ""},
		{"behind the line", at(1, 10, 1, 10), ""},
		{"empty line", at(2, 1, 2, 1), ""},
		{"no such line", at(70, 1, 70, 1), ""},
		{"no column", at(3, 0, 3, 0), ""},
		{"long line", at(6, 6, 6, 6), ""},
	} {
		var b strings.Builder
		if err := report.Text(&b, []report.Finding{test.f}, style); err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(b.String(), "\n")
		if !strings.HasPrefix(first, "a.go:") || !strings.HasSuffix(first, ": m (lockheld/relock)") || rest != test.want {
			t.Errorf("%s: got\n%s\n%swant below\n%s", test.name, first, rest, test.want)
		}
	}
}

func TestTextLayout(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	f := at(3, 6, 3, 6)
	f.Related = []report.Related{{Place: report.Place{File: "b.go", Line: 8, Column: 2}, Message: "calls g"}}
	for _, test := range []struct {
		style report.Style
		want  string
	}{
		{report.Style{}, "a.go:3:6: m (lockheld/relock)\n\tb.go:8:2: calls g\n"},
		{
			report.Style{Source: &source.Files{Dir: dir}},
			"a.go:3:6: m (lockheld/relock)\n\t    func f() {\n\t         ^\n\tb.go:8:2: calls g\n",
		},
		{
			report.Style{Source: &source.Files{Dir: dir}, Color: true},
			"\x1b[1ma.go:3:6:\x1b[0m m \x1b[36m(lockheld/relock)\x1b[0m\n\t    func f() {\n\t    \x1b[1;32m     ^\x1b[0m\n\t\x1b[2mb.go:8:2:\x1b[0m calls g\n",
		},
	} {
		var b strings.Builder
		if err := report.Text(&b, []report.Finding{f}, test.style); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("got\n%q\nwant\n%q", b.String(), test.want)
		}
	}
}

func TestGitHub(t *testing.T) {
	f := at(3, 6, 3, 6)
	f.File = "a,b:c%.go"
	f.Message = "100%: a, b\r\nc"
	f.URL = "https://example.com/x#y"
	f.Related = []report.Related{{Place: report.Place{File: "b.go", Line: 8, Column: 2}, Message: "calls g"}}
	lines := at(3, 6, 5, 1)
	columns := at(3, 6, 3, 9)

	var b strings.Builder
	if err := report.GitHub(&b, []report.Finding{f, lines, columns}, func(file string) string { return "sub/" + file }); err != nil {
		t.Fatal(err)
	}
	const want = "::error file=sub/a%2Cb%3Ac%25.go,line=3,endLine=3,col=6,title=lockheld/relock::100%25: a, b%0D%0Ac%0Asub/b.go:8: calls g%0Ahttps://example.com/x#y\n" +
		"::error file=sub/a.go,line=3,endLine=5,title=lockheld/relock::m\n" +
		"::error file=sub/a.go,line=3,endLine=3,col=6,endColumn=9,title=lockheld/relock::m\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// A finding without a severity is an error for GitHub, and a warning wherever one is asked for.
func TestSeverity(t *testing.T) {
	for severity, want := range map[string][2]string{"error": {"error", "::error "}, "warning": {"warning", "::warning "}, "": {"warning", "::error "}} {
		f := at(3, 6, 3, 6)
		f.Severity = severity
		var b strings.Builder
		if err := report.GitHub(&b, []report.Finding{f}, strings.Clone); err != nil {
			t.Fatal(err)
		}
		if f.Level() != want[0] || !strings.HasPrefix(b.String(), want[1]) {
			t.Errorf("%q: level %s, %s", severity, f.Level(), b.String())
		}
	}
}
