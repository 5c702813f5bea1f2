// Package sarif writes findings in the Static Analysis Results Interchange Format, version 2.1.0, in the form that
// GitHub's code scanning and the viewers of editors take: names of files are relative to the repository, the places
// that lead to a finding are a code flow, and every sub-rule brings its page along.
package sarif

import (
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/source"
)

// Run is what is to be told of a run.
type Run struct {
	Version  string // of ctrllint
	Rules    []*analysis.Analyzer
	Findings []report.Finding
	Failures []string // what could not be analysed: with one of these the run was no success
	Warnings []string

	Source *source.Files // where the findings are
	Root   string        // the absolute path of the repository's top folder
}

const (
	home    = "https://github.com/ctrllint/ctrllint"
	srcRoot = "%SRCROOT%"

	// fingerprint is the name of ours among the partial fingerprints; the number grows when its making changes.
	fingerprint = "ctrllintFinding/v1"
)

// Write writes one log with one run.
func Write(w io.Writer, r Run) error {
	c := converter{Run: r, rules: make(map[string]int), files: make(map[string]int), seen: make(baseline.Fingerprints)}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(c.log())
}

type converter struct {
	Run

	rules     map[string]int // from the id of a rule to its place in the list
	files     map[string]int // from the name of a file to its place in the list
	artifacts []artifact
	seen      baseline.Fingerprints
}

func (c *converter) log() log {
	r := run{
		Tool: tool{Driver: component{
			Name: "ctrllint", Version: c.Version, InformationURI: home, Rules: c.descriptors(),
		}},
		Invocations:        []invocation{{ExecutionSuccessful: len(c.Failures) == 0}},
		OriginalURIBaseIDs: map[string]artifactLocation{srcRoot: {URI: fileURI(c.Root) + "/"}},
		ColumnKind:         "utf16CodeUnits",
		Results:            []result{},
	}
	for _, f := range c.Failures {
		r.Invocations[0].Notifications = append(r.Invocations[0].Notifications, notification{"error", message{Text: f}})
	}
	for _, w := range c.Warnings {
		r.Invocations[0].Notifications = append(r.Invocations[0].Notifications, notification{"warning", message{Text: w}})
	}
	for _, f := range c.Findings {
		r.Results = append(r.Results, c.result(f))
	}
	r.Artifacts = c.artifacts
	return log{Schema: schema, Version: version, Runs: []run{r}}
}

// precision is how GitHub calls the levels.
var precision = map[rule.Level]string{rule.Default: "high", rule.OptIn: "medium", rule.Nursery: "low"}

// descriptors has one entry for each sub-rule, because it is the sub-rule that a finding names.
func (c *converter) descriptors() []descriptor {
	out := []descriptor{}
	for _, a := range c.Rules {
		for _, s := range page.Subs(a) {
			id := a.Name + "/" + s.Name
			first, _, _ := strings.Cut(page.Section(s.Markdown, "What it reports"), "\n\n")
			severity := rule.SeverityOf(a, s.Name).String()
			c.rules[id] = len(out)
			out = append(out, descriptor{
				ID: id, Name: id,
				ShortDescription: message{Text: s.Summary},
				FullDescription:  message{Text: cmp.Or(strings.TrimSpace(page.Text(first)), s.Summary)},
				Help:             message{Text: cmp.Or(strings.TrimSpace(page.Text(s.Markdown)), s.Summary), Markdown: s.Markdown},
				HelpURI:          rule.PageURL(a.Name, s.Name),
				Configuration:    configuration{Level: severity},
				Properties:       map[string]any{"tags": []string{"kubernetes", "reliability"}, "problem.severity": severity, "precision": precision[rule.CheckLevel(id)]},
			})
		}
	}
	return out
}

func (c *converter) result(f report.Finding) result {
	primary := c.location(f.Place)
	primary.PhysicalLocation.Region = c.region(f.File, f.Line, f.Column, f.EndLine, f.EndColumn)
	if f.Function != "" {
		primary.LogicalLocations = []logicalLocation{{Name: f.Function, FullyQualifiedName: f.Package + "." + f.Function, Kind: "function"}}
	}
	r := result{
		RuleID: f.Category, Level: "error", Message: message{Text: f.Message},
		Locations:           []location{primary},
		Suppressions:        []suppression{},
		PartialFingerprints: map[string]string{fingerprint: c.seen.Next(f)},
	}
	if i, ok := c.rules[f.Category]; ok {
		r.RuleIndex = &i
	}
	if f.Confidence != "" {
		r.Properties = map[string]any{"confidence": f.Confidence}
	}
	if f.Builds != nil {
		if r.Properties == nil {
			r.Properties = map[string]any{}
		}
		r.Properties["builds"] = f.Builds
	}
	if f.Severity != "" {
		r.Level = f.Level()
	}
	if f.Confidence == "possible" {
		r.Level = report.LevelWarning
	}
	if f.Suppressed != nil {
		r.Suppressions = append(r.Suppressions, suppression{f.Suppressed.Kind, f.Suppressed.Reason})
	}
	f.Related = report.Bounded(f.Related)
	for i, p := range f.Related {
		l := c.location(p.Place)
		l.ID, l.Message = i+1, &message{Text: p.Message}
		r.RelatedLocations = append(r.RelatedLocations, l)
	}
	if len(f.Related) > 0 {
		r.CodeFlows = []codeFlow{{ThreadFlows: []threadFlow{{Locations: c.flow(f, primary)}}}}
	}
	for _, x := range f.Fixes {
		r.Fixes = append(r.Fixes, fix{Description: message{Text: x.Message}, Changes: c.changes(x.Edits)})
	}
	return r
}

// flow leads through the related places to the finding, which is one of them in a chain of calls.
func (c *converter) flow(f report.Finding, primary location) []flowLocation {
	var out []flowLocation
	passed := false
	for _, p := range f.Related {
		l := c.location(p.Place)
		l.Message = &message{Text: p.Message}
		out = append(out, flowLocation{l})
		passed = passed || p.File == f.File && p.Line == f.Line
	}
	if !passed {
		primary.Message = &message{Text: f.Message}
		out = append(out, flowLocation{primary})
	}
	return out
}

func (c *converter) location(p report.Place) location {
	return location{PhysicalLocation: physicalLocation{
		ArtifactLocation: c.artifact(p.File),
		Region:           c.region(p.File, p.Line, p.Column, 0, 0),
	}}
}

// artifact returns the location of the file with that name, and takes it into the list of files.
func (c *converter) artifact(name string) artifactLocation {
	i, known := c.files[name]
	if !known {
		i = len(c.artifacts)
		c.files[name] = i
		a := artifact{SourceLanguage: "go"}
		if rel, ok := c.Source.Below(c.Root, name); ok {
			a.Location = artifactLocation{URI: (&url.URL{Path: rel}).String(), URIBaseID: srcRoot}
		} else {
			a.Location = artifactLocation{URI: fileURI(c.Source.Path(name))}
		}
		c.artifacts = append(c.artifacts, a)
	}
	l := c.artifacts[i].Location
	l.Index = &i
	return l
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(path, "/")}).String()
}

// region returns the range as SARIF counts. An end that is not behind the start is none; then the region reaches to
// the end of the line, as the standard says.
func (c *converter) region(file string, line, column, endLine, endColumn int) region {
	r := region{StartLine: max(line, 1), StartColumn: c.column(file, line, column)}
	if endLine > line || endLine == line && endColumn > column {
		r.EndLine, r.EndColumn = endLine, c.column(file, endLine, endColumn)
	}
	return r
}

// column turns a column in bytes, which is how Go counts, into one in UTF-16 code units.
func (c *converter) column(file string, line, column int) int {
	text, ok := c.Source.Line(file, line)
	if !ok || column < 1 || column > len(text)+1 {
		return column
	}
	n := 1
	for _, r := range text[:column-1] {
		n += utf16.RuneLen(r)
	}
	return n
}

func (c *converter) changes(edits []report.Edit) []artifactChange {
	var out []artifactChange
	for _, e := range edits {
		l := c.artifact(e.File)
		i := slices.IndexFunc(out, func(a artifactChange) bool { return a.Location.URI == l.URI })
		if i < 0 {
			i = len(out)
			out = append(out, artifactChange{Location: l})
		}
		r := replacement{Deleted: region{ // an insertion deletes an empty region
			StartLine: e.Line, StartColumn: c.column(e.File, e.Line, e.Column),
			EndLine: e.EndLine, EndColumn: c.column(e.File, e.EndLine, e.EndColumn),
		}}
		if e.NewText != "" {
			r.Inserted = &content{e.NewText}
		}
		out[i].Replacements = append(out[i].Replacements, r)
	}
	return out
}
