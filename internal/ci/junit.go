package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
)

// The types are the part of JUnit's XML that is written here: what Jenkins' schema (junit-10.xsd of its xUnit plugin)
// has, and no attributes of other dialects, such as the file of a test case, for which that schema refuses a
// document.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Failure   *junitProblem `xml:"failure"`
		Error     *junitProblem `xml:"error"`
	}
	junitProblem struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a suite for each rule, with a failed case for each of its findings, or else with one case that has
// passed: so that a report without findings is not an empty one, which Jenkins takes for a mistake. What could not be
// analysed is an error of a suite of its own. The name of a case stays the same when lines move, since these systems
// follow cases by their names; its class is the package.
func JUnit(w io.Writer, r Run) error {
	byRule := make(map[string][]junitCase)
	names := slices.Clone(r.Rules)
	seen := make(map[string]int)
	for _, f := range r.named() {
		if !slices.Contains(names, f.Rule) {
			names = append(names, f.Rule)
		}
		c, err := failed(f, seen)
		if err != nil {
			return err
		}
		byRule[f.Rule] = append(byRule[f.Rule], c)
	}
	all := junitSuites{Name: "ctrllint"}
	add := func(s junitSuite) {
		s.Tests = len(s.Cases)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Suites = append(all.Suites, s)
	}
	for _, rule := range names {
		s := junitSuite{Name: rule, Cases: byRule[rule], Failures: len(byRule[rule])}
		if s.Cases == nil {
			s.Cases = []junitCase{{Name: "no findings", ClassName: rule}}
		}
		add(s)
	}
	if r.Failures != nil {
		s := junitSuite{Name: "analysis", Errors: len(r.Failures)}
		for _, text := range r.Failures {
			first, _, _ := strings.Cut(text, "\n")
			s.Cases = append(s.Cases, junitCase{Name: first, ClassName: "analysis", Error: &junitProblem{Type: "analysis", Message: first, Text: text}})
		}
		add(s)
	}
	return writeXML(w, all)
}

// failed returns the case of f; seen counts the names of cases.
func failed(f report.Finding, seen map[string]int) (junitCase, error) {
	var text strings.Builder
	if err := report.Text(&text, []report.Finding{f}, report.Style{}); err != nil {
		return junitCase{}, err
	}
	if f.URL != "" {
		fmt.Fprintln(&text, f.URL)
	}
	k := baseline.KeyOf(f)
	name := k.Category
	if k.Function != "" {
		name += " in " + k.Function
	}
	name += ": " + k.Operation
	id := f.Package + "\x00" + name
	if seen[id]++; seen[id] > 1 {
		name += fmt.Sprintf(" (%d)", seen[id])
	}
	return junitCase{
		Name: name, ClassName: f.Package,
		Failure: &junitProblem{Type: f.Level(), Message: fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message), Text: text.String()},
	}, nil
}
