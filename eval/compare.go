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

// foundIn is f, found in t, with no verdict.
func foundIn(t *record.Target, f *report.Finding) *record.Finding {
	at := record.Finding{List: t.List, Split: record.SplitTuned, Source: t.Source, At: t.At, Folder: t.Folder, Verdicts: []record.Verdict{}}
	if t.List == record.Fresh {
		at.Split = record.SplitFresh
	}
	at.Check, at.Site, at.Message, at.Confidence, at.Key = f.Category, f.Site, f.Message, f.Confidence, baseline.KeyOf(*f)
	at.File, at.Line, at.Column = f.File, f.Line, f.Column
	return &at
}

// compare matches was, findings of the data, with is, those of a run over the same code. A finding is known by its key, the one at the same place first where
// several have it; where the key is another one, by its check, site and place. What is still found goes before what was gone. Names of checks and sites that have
// changed since are no difference.
func compare(d *record.Data, was, is []*record.Finding) *comparison {
	c := new(comparison)
	left, is := slices.Clone(was), slices.Clone(is)
	match := func(gone bool, same func(was, is *record.Finding) bool) {
		left = slices.DeleteFunc(left, func(w *record.Finding) bool {
			if w.Gone != gone {
				return false
			}
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
	check := func(w, f *record.Finding) bool { return d.Renamed("check", w.Check) == f.Check }
	site := func(w, f *record.Finding) bool { return d.Renamed("site", w.Site) == f.Site }
	line := func(w, f *record.Finding) bool { return w.File == f.File && w.Line == f.Line }
	key := func(w, f *record.Finding) bool {
		k := w.Key
		k.Category = d.Renamed("check", w.Check)
		return k == f.Key
	}
	never := func(w *record.Finding) bool { return w.Key.Package == "" } // it has not been found since findings have keys, nor since they have sites
	for _, gone := range []bool{false, true} {
		match(gone, func(w, f *record.Finding) bool { return key(w, f) && line(w, f) && w.Column == f.Column && site(w, f) })
		match(gone, func(w, f *record.Finding) bool { return key(w, f) && line(w, f) })
		match(gone, key)
		match(gone, func(w, f *record.Finding) bool { return check(w, f) && line(w, f) && (site(w, f) || never(w)) })
		match(gone, func(w, f *record.Finding) bool {
			return check(w, f) && (site(w, f) || never(w)) && w.File == f.File && -near <= f.Line-w.Line && f.Line-w.Line <= near
		})
	}
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
	k := w.Key
	k.Category = d.Renamed("check", w.Check)
	say("key", k, f.Key)
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

// apply makes the data say what the run gave. What is lost stays, as gone, with its verdicts, unless it has none. What is gained in fresh code is left out: it is
// not what the tool said when it saw that code for the first time, and nobody judges it who does not know the rules.
func (c *comparison) apply(d *record.Data) {
	for _, p := range c.pairs {
		switch {
		case p.was == nil:
			if p.is.Split != record.SplitFresh {
				d.Findings = append(d.Findings, p.is)
			}
		case p.is == nil && len(p.was.Verdicts) == 0:
			d.Findings = slices.DeleteFunc(d.Findings, func(f *record.Finding) bool { return f == p.was })
		case p.is == nil:
			p.was.Gone = true
		default:
			p.is.List = p.was.List
			*p.was = *p.is
		}
	}
}
