package main

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// A difference is something that a run gave otherwise than the file says.
type difference struct {
	kind string // new, gone, changed
	what string // in one line
	more []string

	added *Finding // the one that is new
}

// A match is a finding of a file and the one of a run that is the same by its key. One of the two is missing where there
// is no match.
type match struct{ was, is *Finding }

// pair matches the findings of two runs. Of several with one key, those that are equal in all belong together, and the
// others in the order of their places.
func pair(was, is []*Finding) []match {
	var matches []match
	left := make(map[baseline.Key][]*Finding)
	for _, f := range was {
		left[f.Key] = append(left[f.Key], f)
	}
	take := func(k baseline.Key, i int) *Finding {
		f := left[k][i]
		left[k] = slices.Delete(left[k], i, i+1)
		return f
	}
	taken := make(map[*Finding]*Finding)
	for _, f := range is {
		if i := slices.IndexFunc(left[f.Key], func(g *Finding) bool { return len(changes(g, f)) == 0 }); i >= 0 {
			taken[f] = take(f.Key, i)
		}
	}
	for _, f := range is {
		if taken[f] == nil && len(left[f.Key]) > 0 {
			taken[f] = take(f.Key, 0)
		}
		matches = append(matches, match{taken[f], f})
	}
	for _, f := range was {
		if slices.Contains(left[f.Key], f) {
			matches = append(matches, match{was: f})
		}
	}
	return matches
}

// changes are what a user sees of is otherwise than of was.
func changes(was, is *Finding) []string {
	var out []string
	say := func(what string, was, is any) { out = append(out, fmt.Sprintf("%s: %v, was %v", what, is, was)) }
	if was.Place != is.Place {
		say("place", place(was.Place), place(is.Place))
	}
	if was.Rule != is.Rule {
		say("rule", was.Rule, is.Rule)
	}
	if was.Message != is.Message {
		say("message", was.Message, is.Message)
	}
	if was.Confidence != is.Confidence {
		say("confidence", or(was.Confidence), or(is.Confidence))
	}
	if n, m := len(was.Related), len(is.Related); n != m {
		say("related places", n, m)
	}
	for i := range min(len(was.Related), len(is.Related)) {
		if a, b := was.Related[i], is.Related[i]; !reflect.DeepEqual(a, b) {
			say(fmt.Sprintf("related place %d", i+1), place(a.Place)+": "+a.Message, place(b.Place)+": "+b.Message)
		}
	}
	return out
}

func place(p report.Place) string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

func or(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// compare gives what is otherwise in is, the outcome of a run, than in was, the file.
func compare(was, is *Golden) []difference {
	var out []difference
	head := func(what string, a, b any) {
		if !reflect.DeepEqual(a, b) {
			out = append(out, difference{kind: "changed", what: fmt.Sprintf("%s: %v, was %v", what, b, a)})
		}
	}
	head("module", was.Path+" "+was.Release, is.Path+" "+is.Release)
	head("patterns", was.Patterns, is.Patterns)
	head("packages", was.Packages, is.Packages)
	lines := func(what string, was, is []string) {
		for _, l := range is {
			if !slices.Contains(was, l) {
				out = append(out, difference{kind: "new", what: what + ": " + l})
			}
		}
		for _, l := range was {
			if !slices.Contains(is, l) {
				out = append(out, difference{kind: "gone", what: what + ": " + l})
			}
		}
	}
	lines("failure", was.Failures, is.Failures)
	lines("note", was.Notes, is.Notes)
	for _, m := range pair(was.Findings, is.Findings) {
		switch {
		case m.was == nil:
			out = append(out, difference{kind: "new", what: m.is.String(), added: m.is})
		case m.is == nil:
			out = append(out, difference{kind: "gone", what: m.was.String(), more: m.was.judged()})
		default:
			if c := changes(m.was, m.is); len(c) > 0 {
				out = append(out, difference{kind: "changed", what: m.is.String(), more: append(c, m.was.judged()...)})
			}
		}
	}
	return out
}

// judged is the verdict, as a line below the finding.
func (f *Finding) judged() []string {
	if f.Verdict == verdict.Unjudged {
		return []string{"not judged"}
	}
	return []string{f.Verdict + ": " + f.Reason}
}

// keep gives the findings of is the verdicts that those of was have. Verdicts of findings that are gone are dropped, and
// new findings have none; nor have those of which the rule has become more or less sure, for that was judged, too.
func keep(was, is *Golden) {
	for _, m := range pair(was.Findings, is.Findings) {
		if m.was != nil && m.is != nil && m.was.Confidence == m.is.Confidence {
			m.is.Judgement = m.was.Judgement
		}
	}
}
