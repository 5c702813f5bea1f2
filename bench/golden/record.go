package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// A Finding is what is kept of one: what a user sees of it, and what somebody has made of it. The order of the fields is
// the order of the JSON.
type Finding struct {
	verdict.Judgement
	Rule     string `json:"rule"`
	Category string `json:"category"` // rule/sub-rule
	report.Place
	Message    string           `json:"message"`
	Confidence string           `json:"confidence,omitempty"`
	Related    []report.Related `json:"related"`
	Key        baseline.Key     `json:"key"`
}

// newFinding is f, which nobody has judged.
func newFinding(f report.Finding) *Finding {
	f.Code = "" // it is known by what it says, so that a verdict is on these words
	return &Finding{
		Rule: f.Rule, Category: f.Category, Place: f.Place, Message: f.Message, Confidence: f.Confidence,
		Related: f.Related, Key: baseline.KeyOf(f),
	}
}

// String is the finding in one line.
func (f *Finding) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s (%s", f.File, f.Line, f.Column, f.Message, f.Category)
	if f.Confidence != "" {
		s += ", " + f.Confidence
	}
	return s + ")"
}

func (f *Finding) compare(g *Finding) int {
	return cmp.Or(
		cmp.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line), cmp.Compare(f.Column, g.Column),
		cmp.Compare(f.Category, g.Category), cmp.Compare(f.Message, g.Message),
	)
}

// A Header says what the findings are those of.
type Header struct {
	Tool     string   `json:"tool"`
	Kind     string   `json:"kind"`
	Version  int      `json:"version"` // of the form of the file
	Path     string   `json:"module"`
	Release  string   `json:"release"` // the module's version
	Patterns []string `json:"patterns"`
	Packages int      `json:"packages"` // how many ctrllint was given; those that failed are among them
}

// A Remark is one of the lines that are no findings, in ctrllint's own words.
type Remark struct {
	Failure string `json:"failure,omitempty"` // what could not be analysed
	Note    string `json:"note,omitempty"`    // where an analysis was cut short, by which a finding can be lost
}

// A Golden is what a run over a module gave, or is to give.
type Golden struct {
	Header
	Failures []string // sorted
	Notes    []string // sorted
	Findings []*Finding
}

const (
	toolName    = "ctrllint"
	kind        = "golden"
	formVersion = 1
)

func newGolden(m *Module) *Golden {
	return &Golden{Header: Header{
		Tool: toolName, Kind: kind, Version: formVersion, Path: m.Path, Release: m.Version, Patterns: m.Patterns,
	}}
}

// sort puts all into the order of the file.
func (g *Golden) sort() {
	slices.Sort(g.Failures)
	slices.Sort(g.Notes)
	slices.SortStableFunc(g.Findings, (*Finding).compare)
}
