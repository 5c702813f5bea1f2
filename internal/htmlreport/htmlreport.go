// Package htmlreport writes findings as one HTML page that needs no network: what was found with the source around
// each place that leads to it, the fixes as diffs, a picture of each cycle of locks, and filters.
package htmlreport

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/source"
)

// Run is what is to be told of a run.
type Run struct {
	Version  string               // of ctrllint
	Rules    []*analysis.Analyzer // those that have run
	Findings []report.Finding     // sorted
	Failures []string             // what could not be analysed
	Warnings []string
	Packages int // so many were analysed; 0 if that is not known

	Source *source.Files // where the findings are
}

var (
	//go:embed page.tmpl
	pageText string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// page is the page; what is put into it is escaped for the place where it stands.
var page = template.Must(template.New("page").Parse(pageText))

// Write writes the page. Sources that cannot be read are said to be missing where they would stand.
func Write(w io.Writer, r Run) error {
	var out bytes.Buffer
	if err := page.Execute(&out, newView(r)); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(visible, out.Bytes()))
	return err
}

// visible is r, or a replacement for what readers would not see, such as a character that makes a text look like
// another one.
func visible(r rune) rune {
	if r == '\n' || r == '\t' || unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}

// policy lets the page run its own script and style, and nothing else: neither what an analysed file might bring in,
// nor anything from the network.
func policy() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s", hash(style), hash(script))
}

// view is what the page shows.
type view struct {
	Policy   string
	Style    template.CSS
	Script   template.JS
	Version  string
	Title    string
	Head     []count
	Failures []string
	Warnings []string

	Groups []*group

	// What can be chosen from in the filters.
	Rules       []choice
	Packages    []choice
	Confidences []choice
	Severities  []choice
}

// count is a number with what it counts.
type count struct{ Number, What, Class string }

// choice is an entry of a filter.
type choice struct {
	Value, Text string
	Count       int
	Sub         bool // it is below the one before it
}

// group are the findings of a rule.
type group struct {
	Rule, Summary, URL string
	Count              int
	Packages           []*packageGroup
}

// packageGroup are the findings of a rule in a package.
type packageGroup struct {
	Path     string
	Findings []finding
}

// finding is a report.Finding as it is shown.
type finding struct {
	ID       string
	Category string
	Package  string
	Severity string
	Sure     string // what the filter goes by
	Confidence,
	Message,
	Place,
	Function,
	Cause,
	URL string
	Builds   string
	Chain    []hop
	Excerpts []excerpt
	Cycle    *graph
	Fixes    []diff
}

// hop is a related place in the list of them. One without a number stands for those that are left out.
type hop struct {
	Number      int
	ID          string // of the place in an excerpt
	Place, Text string
}

func newView(r Run) *view {
	v := &view{
		Policy: policy(), Style: template.CSS(style), Script: template.JS(script),
		Version: r.Version, Failures: r.Failures, Warnings: r.Warnings,
	}
	s := &sources{files: r.Source}
	ids := make(baseline.Fingerprints)
	for _, f := range r.Findings {
		v.add(r.Rules, f, s.finding(f, "f-"+strings.ReplaceAll(ids.Next(f), ":", "-")))
	}
	slices.SortStableFunc(v.Groups, func(a, b *group) int { return cmp.Compare(a.Rule, b.Rule) })
	for _, g := range v.Groups {
		slices.SortStableFunc(g.Packages, func(a, b *packageGroup) int { return cmp.Compare(a.Path, b.Path) })
	}
	v.count(r)
	v.choices(r.Findings)
	return v
}

// add puts f, which is shown as shown, into its group.
func (v *view) add(rules []*analysis.Analyzer, f report.Finding, shown finding) {
	i := slices.IndexFunc(v.Groups, func(g *group) bool { return g.Rule == f.Rule })
	if i < 0 {
		i = len(v.Groups)
		g := &group{Rule: f.Rule}
		for _, a := range rules {
			if a.Name == f.Rule {
				first, _, _ := strings.Cut(a.Doc, "\n")
				g.Summary, g.URL = first, a.URL
			}
		}
		v.Groups = append(v.Groups, g)
	}
	g := v.Groups[i]
	g.Count++
	j := slices.IndexFunc(g.Packages, func(p *packageGroup) bool { return p.Path == f.Package })
	if j < 0 {
		j = len(g.Packages)
		g.Packages = append(g.Packages, &packageGroup{Path: f.Package})
	}
	g.Packages[j].Findings = append(g.Packages[j].Findings, shown)
}

// count fills the head line.
func (v *view) count(r Run) {
	add := func(n int, one, more, class string) {
		what := more
		if n == 1 {
			what = one
		}
		v.Head = append(v.Head, count{fmt.Sprint(n), what, class})
	}
	class := "clean"
	if len(r.Findings) > 0 {
		class = "found"
	}
	add(len(r.Findings), "finding", "findings", class)
	v.Title = fmt.Sprintf("ctrllint: %s %s", v.Head[0].Number, v.Head[0].What)
	if r.Packages > 0 {
		add(r.Packages, "package", "packages", "")
	}
	add(len(r.Rules), "rule", "rules", "")
	if len(r.Failures) > 0 {
		add(len(r.Failures), "failure", "failures", "failed")
	}
}

// choices fills the filters. That of confidences is left out where all have the same one, which may be told nowhere.
func (v *view) choices(findings []report.Finding) {
	counted := func(of func(f *report.Finding) string) []choice {
		n := make(map[string]int)
		var out []choice
		for i := range findings {
			key := of(&findings[i])
			if n[key]++; n[key] == 1 && key != "" {
				out = append(out, choice{Value: key, Text: key})
			}
		}
		slices.SortFunc(out, func(a, b choice) int { return cmp.Compare(a.Value, b.Value) })
		for i := range out {
			out[i].Count = n[out[i].Value]
		}
		return out
	}
	v.Packages = counted(func(f *report.Finding) string { return f.Package })
	v.Severities = counted((*report.Finding).Level)
	if v.Confidences = counted(sure); len(v.Confidences) < 2 {
		v.Confidences = nil
	}
	subs := counted(func(f *report.Finding) string { return f.Category })
	for _, of := range counted(func(f *report.Finding) string { return f.Rule }) {
		v.Rules = append(v.Rules, of)
		for _, s := range subs {
			if name, ok := strings.CutPrefix(s.Value, of.Value+"/"); ok {
				v.Rules = append(v.Rules, choice{s.Value, name, s.Count, true})
			}
		}
	}
}

// sure returns the confidence by which f is chosen: what its rule does not tell is not left out where certain
// findings are asked for, neither here nor by -confidence.
func sure(f *report.Finding) string { return cmp.Or(f.Confidence, rule.Certain.String()) }

// finding is f as it is shown, under that id.
func (s *sources) finding(f report.Finding, id string) finding {
	out := finding{
		ID: id, Category: f.Category, Package: f.Package, Severity: f.Level(), Confidence: f.Confidence, Sure: sure(&f),
		Message: f.Message, Place: placeText(f.Place), Function: f.Function, Cause: f.Cause, URL: f.URL,
		Builds: strings.Join(f.Builds, ", "), Cycle: newGraph(f.Cycle, id),
	}
	places := []mark{{place: f.Place, endLine: f.EndLine, endColumn: f.EndColumn}}
	head, missing, tail := report.Shown(f.Related)
	n := 0
	add := func(chain []report.Related) {
		for _, r := range chain {
			n++
			h := hop{Number: n, ID: fmt.Sprintf("%s-%d", id, n), Place: placeText(r.Place), Text: r.Message}
			out.Chain = append(out.Chain, h)
			places = append(places, mark{place: r.Place, hop: h})
		}
	}
	add(head)
	if missing != "" {
		out.Chain = append(out.Chain, hop{Text: missing})
		n = len(f.Related) - len(tail)
	}
	add(tail)
	out.Excerpts = s.excerpts(places)
	for _, x := range f.Fixes {
		out.Fixes = append(out.Fixes, s.diff(x))
	}
	return out
}

func placeText(p report.Place) string {
	if p.Column < 1 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}
