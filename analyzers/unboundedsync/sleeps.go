package unboundedsync

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// sleepsOn reports the loops of fn that sleep between their turns, ask for what they wait for with a context that may end, and go on once it has ended: all that is
// given the context fails then, and no way out of the loop is left.
func (c *checker) sleepsOn(fn *ssa.Function) {
	if ctx := contextOf(fn); ctx != nil && c.givenEndless(ctx) {
		return
	}
	for _, l := range flow.Loops(fn) {
		sleep := sleepIn(l)
		if sleep == nil || !c.wanted(flow.Pos(sleep)) {
			continue
		}
		asked := c.askedWithContext(l)
		if asked == nil {
			continue
		}
		view := ways.See(fn, func(v ssa.Value) flow.Truth {
			if call, _ := flow.ResultOf(v); call == nil || !l.Blocks[call.Block()] {
				return flow.Either
			}
			return c.ended(v)
		}, c.resultsEnded)
		leaves := false
		for b := range view.From(l.Header) {
			leaves = leaves || !l.Blocks[b]
		}
		if leaves {
			continue
		}
		c.reportWait(rule.Finding{
			Pos: flow.Pos(sleep), Sub: "neverstops",
			Message: fmt.Sprintf("this loop goes on after the end of the context that %s is given (line %d): no way leads out of it then; wait for that end, too",
				c.spelled(asked, flow.Callee(&asked.Call)), rule.Line(c.pass, flow.Pos(asked))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(asked), Message: "this is given the context"}},
		}, site{at: asked, waits: true})
	}
}

// sleepIn is what lets some time pass in the loop l; nil where nothing does, or where no way leads out of it at all: it is meant to go on.
func sleepIn(l *flow.Loop) (sleep ssa.Instruction) {
	if len(l.Exits()) == 0 {
		return nil
	}
	for _, b := range l.Header.Parent().Blocks {
		if !l.Blocks[b] {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if (kube.Symbol{Pkg: "time", Name: "Sleep"}).Is(flow.Callee(&in.Call)) {
					return in
				}
			case *ssa.UnOp:
				if in.Op == token.ARROW && blocking.IsTimer(in.X) {
					return in
				}
			}
		}
	}
	return nil
}

// askedWithContext is the first call in the loop l that is given a context which may end, and gives an error, or says yes or no in sight; nil for none.
func (c *checker) askedWithContext(l *flow.Loop) *ssa.Call {
	for _, b := range l.Header.Parent().Blocks {
		if !l.Blocks[b] {
			continue
		}
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if ok && (c.fails(call) || saysYesOrNo(call) && c.pkg.Callee(&call.Call) != nil) && slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool {
				return kube.IsContext(a.Type()) && c.bounds.Of(a, call).Limit != blocking.Never
			}) {
				return call
			}
		}
	}
	return nil
}

func saysYesOrNo(call *ssa.Call) bool { return flow.IsBool(call.Type()) }

// fails reports whether call is given a context, and gives an error.
func (c *checker) fails(call *ssa.Call) bool {
	return flow.ErrorResult(call.Call.Signature()) >= 0 && slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return kube.IsContext(a.Type()) })
}

// ended is what v is where each context has ended: what is given one gives its error, which is no answer of an API server.
func (c *checker) ended(v ssa.Value) flow.Truth {
	call, _ := flow.ResultOf(v)
	switch {
	case call == nil:
	case kube.AsksKind(flow.Callee(&call.Call)):
		return flow.No
	case flow.IsError(v.Type()) && c.pkg.Callee(&call.Call) == nil && c.fails(call):
		return flow.No
	}
	return flow.Either
}

// resultsEnded are the results of call where each context has ended; nil where no body is in sight.
func (c *checker) resultsEnded(_ *ways.View, call *ssa.Call) []flow.Truth {
	callee := c.pkg.Callee(&call.Call)
	if callee == nil {
		return nil
	}
	return c.whenEnded.Ask(callee, nil, func() []flow.Truth { return ways.See(callee, c.ended, c.resultsEnded).Results() })
}
