package ci_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	junit "github.com/joshdk/go-junit"
	"github.com/phayes/checkstyle"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ctrllint/ctrllint/internal/ci"
	"github.com/ctrllint/ctrllint/internal/report"
)

// hostile is a message with what XML, JSON and their readers could trip over.
const hostile = "a < b && c > \"d\" ']]>' <script>\x1b[31m\x00\xff\n second line ö𝄞"

func place(file string, line, column int) report.Place {
	return report.Place{File: file, Line: line, Column: column}
}

// run is a run with one of everything.
func run() ci.Run {
	return ci.Run{
		Rules: []string{"eventfilter", "lockheld"},
		Findings: []report.Finding{
			{
				Rule: "lockheld", Category: "lockheld/relock", Place: place("store.go", 52, 13), Package: "example.com/m/store", Function: "(*Store).Get",
				Message: "s.mu (locked at line 50) is locked again, which deadlocks", Severity: "error", URL: "https://example.com/x#relock",
				Related: []report.Related{{Place: place("store.go", 50, 11), Message: "s.mu is locked here"}},
			},
			{
				Rule: "lockheld", Category: "lockheld/relock", Place: place("store.go", 57, 13), Package: "example.com/m/store", Function: "(*Store).Get",
				Message: "s.mu (locked at line 55) is locked again, which deadlocks", Builds: []string{"linux/amd64"},
			},
			{Rule: "lockheld", Category: "lockheld/leak", Place: place("other & more.go", 3, 0), Package: "example.com/m/other", Message: hostile},
		},
		Failures:     []string{"example.com/m/broken: cannot use \"\" as int\nand more"},
		InRepository: func(file string) string { return "sub/" + file },
	}
}

// moved is the same run after somebody has put 100 lines on top of each file.
func moved() ci.Run {
	r := run()
	digits := strings.NewReplacer("line 50", "line 150", "line 55", "line 155")
	for i := range r.Findings {
		r.Findings[i].Line += 100
		r.Findings[i].Message = digits.Replace(r.Findings[i].Message)
	}
	return r
}

func written(t *testing.T, write func(io.Writer, ci.Run) error, r ci.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An element has these attributes, those with a ! always, and these elements.
type element struct{ attributes, elements []string }

// obeys holds a document against what its form allows.
func obeys(t *testing.T, doc []byte, root string, form map[string]element) {
	t.Helper()
	if err := violation(doc, root, form); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
}

func violation(doc []byte, root string, form map[string]element) error {
	var open []string
	dec := xml.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if len(open) == 0 && name != root || len(open) > 0 && !slices.Contains(form[open[len(open)-1]].elements, name) {
				return errors.New(name + " in " + strings.Join(open, "/"))
			}
			open = append(open, name)
			has := make(map[string]bool)
			for _, a := range token.Attr {
				has[a.Name.Local] = true
				if !slices.Contains(form[name].attributes, a.Name.Local) && !slices.Contains(form[name].attributes, a.Name.Local+"!") {
					return errors.New("attribute " + a.Name.Local + " of " + name)
				}
			}
			for _, a := range form[name].attributes {
				if must, ok := strings.CutSuffix(a, "!"); ok && !has[must] {
					return errors.New(name + " has no " + must)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

// jenkins is what the schema junit-10.xsd of Jenkins' xUnit plugin has of elements and attributes, but for reruns.
var jenkins = map[string]element{
	"testsuites": {[]string{"name", "time", "tests", "failures", "errors"}, []string{"testsuite"}},
	"testsuite": {
		[]string{"name!", "tests!", "failures!", "errors!", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		[]string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"testcase": {[]string{"name!", "time", "classname", "group"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"failure":  {[]string{"type", "message"}, nil},
	"error":    {[]string{"type", "message"}, nil},
}

// A reader of JUnit's XML finds what there is.
func TestJUnit(t *testing.T) {
	doc := written(t, ci.JUnit, run())
	obeys(t, doc, "testsuites", jenkins)
	suites, err := junit.Ingest(doc)
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) != 3 {
		t.Fatalf("%d suites, want one for each rule and one for what failed:\n%s", len(suites), doc)
	}
	for i, want := range []struct {
		name                  string
		passed, failed, error int
	}{{"eventfilter", 1, 0, 0}, {"lockheld", 0, 3, 0}, {"analysis", 0, 0, 1}} {
		got := suites[i]
		if got.Name != want.name || got.Totals.Passed != want.passed || got.Totals.Failed != want.failed || got.Totals.Error != want.error {
			t.Errorf("suite %d is %s with %+v, want %+v", i, got.Name, got.Totals, want)
		}
	}
	tests := suites[1].Tests
	if tests[0].Name != "lockheld/relock in (*Store).Get: s.mu is locked again, which deadlocks" || tests[0].Classname != "example.com/m/store" {
		t.Errorf("the first case is %q of %q", tests[0].Name, tests[0].Classname)
	}
	if tests[1].Name != tests[0].Name+" (2)" {
		t.Errorf("a second finding of the kind is %q", tests[1].Name)
	}
	var problem junit.Error
	if !errors.As(tests[0].Error, &problem) {
		t.Fatalf("the first case has no failure: %v", tests[0].Error)
	}
	if problem.Type != "error" || problem.Message != "sub/store.go:52:13: s.mu (locked at line 50) is locked again, which deadlocks" ||
		!strings.Contains(problem.Body, "\tsub/store.go:50:11: s.mu is locked here\nhttps://example.com/x#relock") {
		t.Errorf("the failure is %+v", problem)
	}
	if !errors.As(tests[1].Error, &problem) || problem.Type != "warning" || !strings.Contains(problem.Body, "[linux/amd64]") {
		t.Errorf("the second failure is %+v", problem)
	}
	if text := tests[2].Error.Error(); !strings.Contains(text, "<script>\ufffd[31m\ufffd\ufffd") {
		t.Errorf("the hostile message is %q", text)
	}
}

// Jenkins and GitLab follow a case by its name and class.
func TestJUnitNames(t *testing.T) {
	names := func(r ci.Run) (out []string) {
		suites, err := junit.Ingest(written(t, ci.JUnit, r))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suites {
			for _, test := range s.Tests {
				out = append(out, test.Classname+" "+test.Name)
			}
		}
		return out
	}
	before, after := names(run()), names(moved())
	if !slices.Equal(before, after) {
		t.Errorf("names move with lines:\n%q\n%q", before, after)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(before)))) != 5 {
		t.Errorf("names are not unique: %q", before)
	}
}

// A run that finds nothing has a case that has passed for each rule.
func TestJUnitClean(t *testing.T) {
	suites, err := junit.Ingest(written(t, ci.JUnit, ci.Run{Rules: []string{"lockheld", "startctx"}, InRepository: strings.Clone}))
	if err != nil || len(suites) != 2 || suites[0].Totals.Passed != 1 || suites[1].Totals.Passed != 1 || suites[1].Totals.Tests != 1 {
		t.Errorf("%v, %+v", err, suites)
	}
}

func TestCheckstyle(t *testing.T) {
	doc := written(t, ci.Checkstyle, run())
	form := map[string]element{
		"checkstyle": {[]string{"version!"}, []string{"file"}},
		"file":       {[]string{"name!"}, []string{"error"}},
		"error":      {[]string{"line!", "column", "severity!", "message!", "source!"}, nil},
	}
	obeys(t, doc, "checkstyle", form)
	name := filepath.Join(t.TempDir(), "checkstyle.xml")
	if err := os.WriteFile(name, doc, 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := checkstyle.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first, ok := log.GetFile("sub/store.go")
	if !ok || len(log.File) != 2 || len(first.Error) != 2 {
		t.Fatalf("want two files, the first with two findings:\n%s", doc)
	}
	e := first.Error[0]
	if e.Line != 52 || e.Column != 13 || e.Severity != checkstyle.SeverityError || e.Source != "ctrllint.lockheld/relock" ||
		e.Message != "s.mu (locked at line 50) is locked again, which deadlocks" {
		t.Errorf("the first finding is %+v", *e)
	}
	if e := first.Error[1]; e.Severity != checkstyle.SeverityWarning || !strings.HasSuffix(e.Message, "deadlocks [linux/amd64]") {
		t.Errorf("the second finding is %+v", *e)
	}
	other, _ := log.GetFile("sub/other & more.go")
	if other == nil || other.Error[0].Column != 0 || other.Error[0].Message != "a < b && c > \"d\" ']]>' <script>\ufffd[31m\ufffd\ufffd\n second line ö𝄞" {
		t.Errorf("the hostile finding is not read:\n%s", doc)
	}
}

func TestCodeQuality(t *testing.T) {
	schema := codeQuality(t)
	issues := func(r ci.Run) []any {
		t.Helper()
		doc := written(t, ci.CodeQuality, r)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, doc)
		}
		return value.([]any)
	}
	get := func(issue any, key string) any { return issue.(map[string]any)[key] }

	found, later := issues(run()), issues(moved())
	if len(found) != 3 {
		t.Fatalf("%d issues, want 3", len(found))
	}
	seen := make(map[any]bool)
	for i := range found {
		if a, b := get(found[i], "fingerprint"), get(later[i], "fingerprint"); a != b || seen[a] {
			t.Errorf("the fingerprint %v is %v after lines have moved, or is that of two issues", a, b)
		} else {
			seen[a] = true
		}
	}
	if s, n := get(found[0], "severity"), get(found[1], "severity"); s != "major" || n != "minor" {
		t.Errorf("severities %v and %v", s, n)
	}
	if l := get(found[0], "location").(map[string]any); get(found[0], "check_name") != "lockheld/relock" || l["path"] != "sub/store.go" {
		t.Errorf("the first issue is %v", found[0])
	}
	if d := get(found[2], "description"); d != "a < b && c > \"d\" ']]>' <script>\x1b[31m\x00\ufffd\n second line ö𝄞" {
		t.Errorf("the hostile message is %q", d)
	}
	if none := issues(ci.Run{InRepository: strings.Clone}); len(none) != 0 {
		t.Errorf("without findings: %v", none)
	}
}

// codeQuality is GitLab's documentation as a schema. That it is in force is seen by what it refuses.
func codeQuality(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/codequality.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		`{}`, `[{"description":"d","check_name":"c","fingerprint":"f","severity":"error","location":{"path":"a.go","lines":{"begin":1}}}]`,
		`[{"description":"d","check_name":"c","fingerprint":"f","severity":"minor","location":{"path":"./a.go","lines":{"begin":1}}}]`,
		`[{"description":"d","check_name":"c","fingerprint":"f","severity":"minor","location":{"path":"a.go"}}]`,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(value) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
	return schema
}

// The check of a form refuses what is not of it.
func TestObeys(t *testing.T) {
	for _, bad := range []string{
		`<testsuite name="a"/>`, `<testsuites><testcase name="a"/></testsuites>`, `<testsuites><testsuite name="a" tests="1" failures="0"/></testsuites>`,
		`<testsuites file="x"/>`, `<testsuites>`,
	} {
		if violation([]byte(bad), "testsuites", jenkins) == nil {
			t.Errorf("%s is taken for JUnit's", bad)
		}
	}
}
