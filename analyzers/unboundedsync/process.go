package unboundedsync

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/link"
)

// keepsNobody reports whether the process alone is in the wait w of call, which the end of the process ends: it is a part of its start, it is meant to
// go on, or it is no wait for caches, and nobody in sight waits for it who asked for less.
func (c *checker) keepsNobody(call ssa.CallInstruction, w wait, end blocking.Bound) bool {
	if c.again(call.Parent()) {
		return false
	}
	_, spawned := call.(*ssa.Go)
	conditions, start := c.fromStart(site{at: call, waits: !spawned})
	return start && len(conditions) == 0 || spawned && saysNever(end) || (w.Kind == blocking.Poll || saysNever(end)) && !asksForLess(call.Parent())
}

// A site is a call on the way to a wait.
type site struct {
	at    ssa.CallInstruction
	waits bool // the goroutine that comes here is in the wait itself
	once  bool // what it does is harmless once, and not in each turn of a loop
}

// climb hands s to further, and the calls that lead to it, as far as they are in sight: those that lead to a call only where further says so of it.
func (c *checker) climb(s site, further func(site) bool) {
	seen := map[site]bool{s: true}
	for work := []site{s}; len(work) > 0; work = work[1:] {
		s := work[0]
		if !further(s) {
			continue
		}
		for _, at := range c.waysTo(s) {
			_, spawned := at.(*ssa.Go)
			if up := (site{at, s.waits && !spawned, s.once}); !seen[up] {
				seen[up] = true
				work = append(work, up)
			}
		}
	}
}

// fromStart reports whether s is come to once while the process starts, as far as all ways to it are in sight, and a signal still ends
// the process then: until it asks for signals, each of them does. That is so if the doors are come to like that, by which other
// packages come here.
func (c *checker) fromStart(s site) (conditions []link.Condition, start bool) {
	start = true
	c.climb(s, func(s site) bool {
		fn := s.at.Parent()
		before, after := c.signals(s.at)
		switch {
		case s.waits && before || s.once && goesRound(s.at.Block()) || c.again(fn):
			start = false
		case after || lifetime.StartsProcess(c.pkg, fn):
			return false
		case len(c.waysTo(s)) == 0:
			if !c.isDoor(fn) {
				start = false
			} else {
				kind := repeated
				if s.once {
					kind = leaves
				}
				conditions = appendNew(conditions, link.Condition{Kind: kind, Of: flow.Object(fn).FullName()})
			}
		}
		return start
	})
	return conditions, start
}

// goesRound reports whether b is in a loop that does not go by a number, of turns or of time.
func goesRound(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(flow.Loops(b.Parent()), func(l *flow.Loop) bool {
		return l.Blocks[b] && l.MostTurns() == nil && !goesByTime(l)
	})
}

// goesByTime reports whether l asks for the time in each turn, and goes on until then.
func goesByTime(l *flow.Loop) bool {
	test := flow.Branch(l.Header)
	if test == nil {
		return false
	}
	cond, _ := flow.StripNot(test.Cond)
	if bin, ok := cond.(*ssa.BinOp); ok {
		return slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, bin.Op) && (isTime(bin.X, l) || isTime(bin.Y, l))
	}
	return isTime(cond, l)
}

// isTime reports whether v comes of the time as l asks for it.
func isTime(v ssa.Value, l *flow.Loop) bool {
	call, ok := v.(*ssa.Call)
	if !ok || !l.Blocks[call.Block()] {
		return false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" {
		return false
	}
	return slices.Contains([]string{"Now", "Since", "Until"}, fn.Name()) ||
		slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool { return isTime(a, l) })
}

// signals reports whether the function of call asks for the signals to the process before it, and whether it does so only after it.
func (c *checker) signals(call ssa.CallInstruction) (before, after bool) {
	for other := range flow.Calls(call.Parent()) {
		if other == call || !c.bounds.SetsUpSignals(other.Common()) {
			continue
		}
		before = before || flow.Reaches(other, call, nil)
		after = after || flow.Dominates(call, other)
	}
	return before, after && !before
}

// saysNever reports whether end is wait.NeverStop: who writes that means it.
func saysNever(end blocking.Bound) bool {
	return end.Site != nil && kubeapi.IsNeverStop(end.Site)
}
