package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
)

// near is how many lines a finding may have moved within its file where its key is another one: the check names another operation of the same bug.
const near = 1

// A pair is a finding of the data with what a run says of it. One of the two is nil where the other one has it alone.
type pair struct{ was, is *record.Finding }

// A comparison is what a run over a module gave, held against what the data says of it.
type comparison struct {
	pairs   []pair
	changed []string // what else is otherwise: packages, failures
}

// foundIn is f where at says, with no verdict.
func foundIn(at record.Finding, f *report.Finding) *record.Finding {
	at.Verdicts, at.Gone = []record.Verdict{}, false
	at.Check, at.Site, at.Message, at.Confidence, at.Key = f.Category, f.Site, f.Message, f.Confidence, baseline.KeyOf(*f)
	at.File, at.Line, at.Column = f.File, f.Line, f.Column
	return &at
}

// compare matches was, findings of the data, with what a run over the same code found. A finding is known by its key; where that is another one, by its
// check and its place. Names of checks and sites that have changed since are no difference. At says where new ones were found.
func compare(d *record.Data, at record.Finding, was []*record.Finding, found []report.Finding) *comparison {
	c := new(comparison)
	var is []*record.Finding
	for i := range found {
		is = append(is, foundIn(at, &found[i]))
	}
	left := slices.Clone(was)
	match := func(same func(was, is *record.Finding) bool) {
		left = slices.DeleteFunc(left, func(w *record.Finding) bool {
			i := slices.IndexFunc(is, func(f *record.Finding) bool { return same(w, f) })
			if i < 0 {
				return false
			}
			is[i].Verdicts = w.Verdicts
			c.pairs = append(c.pairs, pair{w, is[i]})
			is = slices.Delete(is, i, i+1)
			return true
		})
	}
	key := func(w *record.Finding) baseline.Key {
		k := w.Key
		k.Category = d.Renamed("check", w.Check)
		return k
	}
	match(func(w, f *record.Finding) bool { return key(w) == f.Key && w.File == f.File && w.Line == f.Line })
	match(func(w, f *record.Finding) bool { return key(w) == f.Key })
	match(func(w, f *record.Finding) bool {
		return d.Renamed("check", w.Check) == f.Check && w.File == f.File && -near <= f.Line-w.Line && f.Line-w.Line <= near
	})
	for _, w := range left {
		c.pairs = append(c.pairs, pair{was: w})
	}
	for _, f := range is {
		c.pairs = append(c.pairs, pair{is: f})
	}
	return c
}

// How a pair differs.
const (
	same   = ""
	lost   = "lost"
	gained = "gained"
	back   = "back" // it was gone
	moved  = "moved"
)

// kind says how p differs.
func (p pair) kind(d *record.Data) string {
	switch {
	case p.is == nil && p.was.Gone:
		return same
	case p.is == nil:
		return lost
	case p.was == nil:
		return gained
	case p.was.Gone:
		return back
	case len(p.changes(d)) > 0:
		return moved
	}
	return same
}

// changes says what of a finding is otherwise now.
func (p pair) changes(d *record.Data) []string {
	var out []string
	say := func(what string, was, is any) {
		if was != is {
			out = append(out, fmt.Sprintf("%s: %v, was %v", what, is, was))
		}
	}
	w, f := p.was, p.is
	say("check", d.Renamed("check", w.Check), f.Check)
	say("site", d.Renamed("site", w.Site), f.Site)
	say("place", fmt.Sprintf("%s:%d:%d", w.File, w.Line, w.Column), fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column))
	say("message", w.Message, f.Message)
	say("confidence", w.Confidence, f.Confidence)
	return out
}

// print writes what is otherwise, and reports whether anything is.
func (c *comparison) print(w io.Writer, d *record.Data) (differs bool) {
	for _, s := range c.changed {
		fmt.Fprintf(w, "\tchanged  %s\n", s)
	}
	for _, p := range c.pairs {
		kind := p.kind(d)
		if kind == same {
			continue
		}
		differs = true
		f := cmp.Or(p.was, p.is)
		fmt.Fprintf(w, "\t%-8s %s: %s\n", kind, cmp.Or(f.Counts(), "not judged"), f)
		if kind == moved {
			for _, s := range p.changes(d) {
				fmt.Fprintf(w, "\t         %s\n", s)
			}
		}
	}
	return differs || len(c.changed) > 0
}

// apply makes the data say what the run gave. What is lost stays, as gone, with its verdicts.
func (c *comparison) apply(d *record.Data) {
	for _, p := range c.pairs {
		switch {
		case p.was == nil:
			d.Findings = append(d.Findings, p.is)
		case p.is == nil:
			p.was.Gone = true
		default:
			*p.was = *p.is
		}
	}
}
