package lockheld

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A cause is a finding before it is merged with those of the same instruction.
type cause struct {
	rule.Finding
	class    lock.Class // of the lock that is held
	unserved bool       // as in verdict
	writer   bool       // as in verdict
}

// rank orders the causes of one instruction: certain ones first, then those that need no third goroutine.
func (c cause) rank() int {
	switch {
	case c.Confidence == rule.Certain:
		return 2
	case !c.writer:
		return 1
	}
	return 0
}

// A group is the causes of one check at one instruction. They are one finding, since one change of the call fixes all.
type group struct {
	instr  ssa.Instruction
	what   string // "wait", "acquisition"
	causes []cause
}

// add adds c to the group of instr.
func (r *reporter) add(instr ssa.Instruction, what string, c cause) {
	i := slices.IndexFunc(r.groups, func(g *group) bool { return g.instr == instr && g.causes[0].Sub == c.Sub })
	if i < 0 {
		i = len(r.groups)
		r.groups = append(r.groups, &group{instr: instr, what: what})
	}
	r.groups[i].causes = append(r.groups[i].causes, c)
}

// demote makes certain causes possible that are dominated by a certain deadlock in their function, or whose lock is
// lost elsewhere: control may never get there.
func (r *reporter) demote() {
	var certain []*group // in the order of execution where they are at one instruction
	for _, g := range r.groups {
		if slices.ContainsFunc(g.causes, func(c cause) bool { return c.Confidence == rule.Certain }) {
			certain = append(certain, g)
		}
		for i, c := range g.causes {
			if r.lost[c.class] && !c.unserved {
				g.causes[i].Confidence = rule.Possible
			}
		}
	}
	for i, g := range certain {
		if slices.ContainsFunc(certain[:i], func(s *group) bool { return s.instr == g.instr }) ||
			slices.ContainsFunc(certain,
				func(s *group) bool { return s.instr != g.instr && runsBefore(s.instr, g.instr) }) {
			for c := range g.causes {
				g.causes[c].Confidence = rule.Possible
			}
		}
	}
}

// runsBefore reports whether a dominates b and runs where it stands, as a deferred call does not.
func runsBefore(a, b ssa.Instruction) bool {
	_, deferred := a.(*ssa.Defer)
	return !deferred && a.Parent() == b.Parent() && flow.Dominates(a, b)
}

// reportGroups reports one finding for each group: the cause of the highest rank, with the related places of all.
// Findings in functions that only other packages may call wait for the link phase.
func (r *reporter) reportGroups() {
	r.demote()
	for _, g := range r.groups {
		first := 0
		for i, c := range g.causes {
			if c.rank() > g.causes[first].rank() {
				first = i
			}
		}
		f := g.causes[first].Finding
		for i, c := range g.causes {
			if i != first {
				f.Related = append(slices.Clip(f.Related), c.Related...)
			}
		}
		switch n := len(g.causes) - 1; {
		case n == 1:
			f.Message += "; so does 1 more " + g.what + " below this call"
		case n > 1:
			f.Message += fmt.Sprintf("; so do %d more %ss below this call", n, g.what)
		}
		if !r.unit.DeferUntilCalled(g.instr.Parent(), f) {
			r.report(f)
		}
	}
}
