package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// neverStarted reports what is read from, or waited for at, informers that nobody starts, or that are started too late.
func (c *checker) neverStarted(fn *ssa.Function) {
	for _, f := range c.factories(fn) {
		if f.escapes || !c.wanted(flow.Pos(f.made)) {
			continue
		}
		c.unstarted(f)
	}
}

// neverStartedFields reports the same of factories that are kept in fields and that no function starts. Which of several
// functions comes first is not known.
func (c *checker) neverStartedFields() {
	for _, f := range c.kept() {
		if !f.escapes && len(f.starts) == 0 && c.wanted(flow.Pos(f.made)) {
			c.unstarted(f)
		}
	}
}

// unstarted looks at the kinds of one factory that nobody else has.
func (c *checker) unstarted(f *factory) {
	var done []string
	for _, a := range f.asks {
		k := f.kind(a.kind)
		if k.runs || slices.Contains(done, a.kind) {
			continue
		}
		done = append(done, a.kind)
		if slices.ContainsFunc(f.asks, func(o ask) bool { return o.kind == a.kind && startedAfter(f, o.at) }) {
			continue
		}
		var at ssa.Instruction
		what := ""
		switch {
		case len(c.syncWaits(f, k)) > 0:
			at, what = c.syncWaits(f, k)[0], "is waited for"
		case len(k.reads) > 0:
			at, what = k.reads[0], "is read"
		case len(k.keeps) > 0:
			at, what = a.at, "is stored"
		default:
			continue
		}
		if len(f.starts) == 0 {
			c.reportStart("unstarted-factory", at, f.made, fmt.Sprintf("the cache of %s %s but stays empty: the factory created on line %d is never started; call its Start", c.spelledKind(a), what, rule.Line(c.pass, flow.Pos(f.made))))
			continue
		}
		start := f.starts[0]
		c.reportStart("late-informer", at, start, fmt.Sprintf("the cache of %s %s but stays empty: it is requested on line %d, after Start of the factory on line %d; request it before, or call Start again",
			c.spelledKind(a), what, rule.Line(c.pass, flow.Pos(a.at)), rule.Line(c.pass, flow.Pos(start))))
	}
}

func (c *checker) reportStart(site rule.Site, at, other ssa.Instruction, message string) {
	if !rule.Wanted(c.pass, flow.Pos(at)) {
		return
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(at), Sub: "neverstarted", Site: site, Message: message,
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(other), Message: "the factory is created or started here"}},
	})
}

// spelledKind is the informer as the source asks for it.
func (c *checker) spelledKind(a ask) string {
	if call, ok := a.at.(*ssa.Call); ok {
		return c.spelled(call, flow.Callee(&call.Call))
	}
	return a.kind
}

// startedAfter reports whether a start of the factory may come after the instruction at: on the way from it, or in
// another function than it is.
func startedAfter(f *factory, at ssa.Instruction) bool {
	return slices.ContainsFunc(f.starts, func(s ssa.Instruction) bool { return comesAfter(s, at) })
}

// comesAfter reports whether b may run after a. What stands in a closure, or is deferred, may run at any time.
func comesAfter(b, a ssa.Instruction) bool {
	if a.Parent() != b.Parent() {
		return true
	}
	if _, ok := b.(*ssa.Defer); ok {
		return true
	}
	return flow.Reaches(a, b, nil)
}

// syncWaits are the waits that are given the HasSynced of k.
func (c *checker) syncWaits(f *factory, k *kind) []ssa.Instruction {
	var out []ssa.Instruction
	look := func(call ssa.CallInstruction) {
		kind, _, ok := c.table.Given(flow.Callee(call.Common()))
		if !ok || kind != blocking.CacheSync {
			return
		}
		args := flow.Args(call.Common())
		if len(args) == 0 {
			return
		}
		for _, v := range flow.Elements(args[len(args)-1]) {
			if slices.Contains(k.synceds, flow.Resolve(v)) {
				out = append(out, call)
			}
		}
	}
	fns := []*ssa.Function{f.made.Parent()}
	if f.everywhere {
		fns = c.pkg.Funcs
	}
	for call := range flow.Calls(fns...) {
		look(call)
	}
	return out
}
