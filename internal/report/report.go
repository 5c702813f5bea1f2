// Package report prints findings: as text for people, as JSON for programs, as commands for GitHub Actions.
package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// Place is a position in a file. File is relative to the working directory and has slashes.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Finding is a diagnostic as it is shown. The order of the fields is the order of the JSON.
type Finding struct {
	Rule     string `json:"rule"`
	Category string `json:"category"` // rule/sub-rule
	Site     string `json:"site"`     // the place of the rule that words it
	Place
	EndLine    int       `json:"endLine"`
	EndColumn  int       `json:"endColumn"`
	Package    string    `json:"package"`  // import path
	Function   string    `json:"function"` // the enclosing declaration as (*T).M, T.M or F; empty outside of functions
	Message    string    `json:"message"`
	Code       string    `json:"code,omitempty"`       // the line of the source at the place, trimmed
	Confidence string    `json:"confidence,omitempty"` // "certain" or "possible", for rules that tell them apart
	Severity   string    `json:"severity,omitempty"`   // "error" or "warning"; empty is a warning
	Cause      string    `json:"cause,omitempty"`      // the function to be fixed, if it is another one: its callers are one finding
	URL        string    `json:"url"`
	Related    []Related `json:"related"`
	Cycle      []Step    `json:"cycle,omitempty"` // of a finding about an order of locks: each step takes what the next one holds
	Fixes      []Fix     `json:"fixes,omitempty"`
	Builds     []string  `json:"builds,omitempty"` // the builds with the finding, unless all have it

	Suppressed *Suppression `json:"suppressed,omitempty"` // nil for findings that are not suppressed
}

// Level returns the severity of f: "error" or "warning".
func (f *Finding) Level() string {
	if f.Severity == LevelError {
		return LevelError
	}
	return LevelWarning
}

// The severities of findings.
const (
	LevelError   = "error"
	LevelWarning = "warning"
)

// InBuilds returns a suffix that names the builds with f.
func (f *Finding) InBuilds() string {
	if len(f.Builds) == 0 {
		return ""
	}
	return " [" + strings.Join(f.Builds, ", ") + "]"
}

// Suppression is why a finding is not reported. The kinds are those of SARIF: "inSource" for a comment, "external" for
// others.
type Suppression struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// Fix is a change that a finding suggests.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces a part of a file, which may be empty.
type Edit struct {
	File      string `json:"file"`
	Start     int    `json:"start"` // offset in bytes
	End       int    `json:"end"`   // offset in bytes of its end
	Line      int    `json:"line"`  // of Start
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	NewText   string `json:"newText"`
}

// Related is a related place of a finding: a call of the chain, or the acquisition of a lock.
type Related struct {
	Place
	Message string `json:"message"`
}

// Step is one step of a cycle in the lock order: Function takes the lock Takes, at the place or in what it calls
// there, while it holds Holds. The place is zero if it is not known.
type Step struct {
	Place
	Function string `json:"function"`
	Holds    string `json:"holds"`
	Takes    string `json:"takes"`
	Read     bool   `json:"read,omitempty"` // it takes the lock for reading
}

// Sort orders findings by place, and drops duplicates, as of a package and its test variant, or of several programs.
func Sort(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(a.compare(b.Place), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
			slices.CompareFunc(a.Related, b.Related, func(a, b Related) int { return cmp.Or(a.compare(b.Place), cmp.Compare(a.Message, b.Message)) }))
	})
	return slices.CompactFunc(findings, func(a, b Finding) bool {
		return a.Place == b.Place && a.Category == b.Category && a.Message == b.Message
	})
}

// Grouped merges findings with the same cause into the first one, with the places of the others as related places,
// unless they are in the same package.
func Grouped(findings []Finding) []Finding {
	type group struct{ category, cause string }
	first := map[group]int{}
	out := findings[:0:0]
	for _, f := range findings {
		g := group{f.Category, f.Cause}
		i, known := first[g]
		switch {
		case f.Cause == "":
		case known && out[i].Package != f.Package:
			out[i].Related = append(slices.Clip(out[i].Related), Related{f.Place, "the same for this caller of " + f.Cause[strings.LastIndex(f.Cause, "/")+1:]})
			continue
		case !known:
			first[g] = len(out)
		}
		out = append(out, f)
	}
	return out
}

// JSON writes the findings as objects, one a line.
func JSON(w io.Writer, findings []Finding) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false) // "<-ch" stays readable
	for _, f := range findings {
		if f.Related == nil {
			f.Related = []Related{}
		}
		f.Related = Bounded(f.Related)
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return out.Flush()
}
