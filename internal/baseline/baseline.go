// Package baseline remembers the findings of a code base that are accepted for now, so that only new ones are reported.
//
// A baseline is a file of JSON lines, sorted, one entry a line: changes of two branches meet in one line only when they
// are about the same finding.
package baseline

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ctrllint/ctrllint/internal/report"
)

// A Baseline says of which finding how many are accepted.
type Baseline struct {
	// Options are what the command was told when it made the baseline, as far as it changes what is found. A run with
	// other options cannot tell whether a finding has gone.
	Options []string

	counts map[Key]int
}

// An Entry is a Key with the number of findings that have it.
type Entry struct {
	Key
	Count int
}

// New returns a baseline of findings.
func New(findings []report.Finding, options []string) *Baseline {
	return &Baseline{Options: options, counts: count(findings)}
}

// Len returns the number of findings that are accepted.
func (b *Baseline) Len() int {
	n := 0
	for _, c := range b.counts {
		n += c
	}
	return n
}

// Filter returns those of findings that are not accepted. Where a function has more of a kind than are accepted, the
// last ones are those that are new.
func (b *Baseline) Filter(findings []report.Finding) []report.Finding {
	left := maps.Clone(b.counts)
	return slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool {
		k := KeyOf(f)
		if left[k] == 0 {
			return false
		}
		left[k]--
		return true
	})
}

// Gone returns what findings, the outcome of a run, no longer have of the baseline, sorted. Packages of which the run
// can say nothing, because judged is false of them, are left out.
func (b *Baseline) Gone(findings []report.Finding, judged func(pkg string) bool) []Entry {
	now := count(findings)
	var gone []Entry
	for k, n := range b.counts {
		if missing := n - now[k]; missing > 0 && judged(k.Package) {
			gone = append(gone, Entry{k, missing})
		}
	}
	slices.SortFunc(gone, func(a, b Entry) int { return a.compare(b.Key) })
	return gone
}

// Without returns the baseline without the entries gone.
func (b *Baseline) Without(gone []Entry) *Baseline {
	counts := maps.Clone(b.counts)
	for _, e := range gone {
		if counts[e.Key] -= e.Count; counts[e.Key] <= 0 {
			delete(counts, e.Key)
		}
	}
	return &Baseline{Options: b.Options, counts: counts}
}

// Renewed returns the baseline of findings, with what b has of the packages of which the run can say nothing.
func (b *Baseline) Renewed(findings []report.Finding, options []string, judged func(pkg string) bool) *Baseline {
	r := New(findings, options)
	for k, n := range b.counts {
		if !judged(k.Package) {
			r.counts[k] = max(r.counts[k], n)
		}
	}
	return r
}

// entries are sorted.
func (b *Baseline) entries() []Entry {
	entries := make([]Entry, 0, len(b.counts))
	for k, n := range b.counts {
		entries = append(entries, Entry{k, n})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return a.compare(b.Key) })
	return entries
}

func count(findings []report.Finding) map[Key]int {
	counts := make(map[Key]int)
	for _, f := range findings {
		counts[KeyOf(f)]++
	}
	return counts
}

func (e Entry) String() string {
	where := e.Package
	if e.Function != "" {
		where += ", " + e.Function
	}
	s := fmt.Sprintf("%s: %s (%s)", where, e.Operation, e.Category)
	if e.Count > 1 {
		s += fmt.Sprintf(", %d times", e.Count)
	}
	return s
}
