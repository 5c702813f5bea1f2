package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// goneBy reports the sends to the one goroutine of an object that receives them, where that goroutine returns for reasons of its own, too:
// what it works off has ended, or has failed. Nobody receives from then on, and who sends, as to say stop, waits forever. Where it only
// leaves because it was told to, who told it knows.
func (c *checker) goneBy() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if !u.meets() {
			continue
		}
		reader := u.receives[0].Parent()
		if !c.runsOnce(reader) || slices.ContainsFunc(u.receives, func(r ssa.Instruction) bool { return r.Parent() != reader }) {
			continue
		}
		told := map[*ssa.Function]bool{} // one of several sends of a function is enough
		for _, s := range u.sends {
			by := flow.Decl(s.Parent())
			if told[by] || by == flow.Decl(reader) || !always(s) || !c.wanted(flow.Pos(s)) {
				continue
			}
			if ret := c.ownReturn(reader, u, fields, c.endsReading(s.Parent())); ret != nil {
				rule.Report(c.pass, rule.Finding{
					Pos: flow.Pos(s), Sub: "abandoned", Site: "returned-reader",
					Message: fmt.Sprintf("this send waits forever once %s has returned by itself (line %d): nobody else receives from %s; close a channel in place of the send, or let the send wait for the end of the goroutine, too",
						flow.FuncName(reader), rule.Line(c.pass, flow.Pos(ret)), f.Name()),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(u.receives[0]), Message: "the only one who receives"}, {Pos: flow.Pos(ret), Message: "it returns here without a send"}},
				})
				told[by] = true
			}
		}
	}
}

// runsOnce reports whether fn is run by one go statement, which is in no loop, and by nothing else.
func (c *checker) runsOnce(fn *ssa.Function) bool {
	callers := c.pkg.Callers(fn)
	if len(callers) != 1 {
		return false
	}
	spawn, ok := callers[0].(*ssa.Go)
	return ok && !flow.InLoop(spawn.Block())
}

// endsReading reports whether fn is the method by which others say that they read no more: they call it whatever they have been told.
func (c *checker) endsReading(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	n := kube.Named(fn.Signature.Recv().Type())
	if n == nil {
		return false
	}
	_, end := c.contract(n)
	return end != nil && flow.Object(fn) == end.Origin()
}

// ownReturn is a return of fn to which some way leads on which it has not received from u, nor been told to end: by a context, by a
// channel that the package closes, or by a queue, which others shut down; nor told others, by a send or a close, unless they send all the same. It
// is nil where there is none. A flag that is cleared only where it was told to end is no way out for reasons of its own.
func (c *checker) ownReturn(fn *ssa.Function, u *fieldChan, fields map[*types.Var]*fieldChan, whatever bool) *ssa.Return {
	told := map[*ssa.If]flow.Truth{}   // the side that it takes when it is told
	ends := map[*ssa.BasicBlock]bool{} // where it goes on only when it is told
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Select:
			for i, s := range in.States {
				mine := slices.Contains(u.receives, ssa.Instruction(in)) && fields[chanField(s.Chan)] == u
				if test := flow.CaseTest(in, i); test != nil && s.Dir == types.RecvOnly && (mine || c.tells(s.Chan, fields)) {
					told[test] = flow.Yes
				}
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW && (slices.Contains(u.receives, ssa.Instruction(in)) || c.tells(in.X, fields)) {
				ends[in.Block()] = true
			}
		case *ssa.Send:
			ends[in.Block()] = ends[in.Block()] || !whatever
		case *ssa.Call:
			b, builtin := in.Call.Value.(*ssa.Builtin)
			ends[in.Block()] = ends[in.Block()] || !whatever && builtin && b.Name() == "close"
		case *ssa.Defer:
			b, builtin := in.Call.Value.(*ssa.Builtin)
			if !whatever && builtin && b.Name() == "close" {
				return nil
			}
		case *ssa.If:
			if asksContext(in.Cond) {
				ends[in.Block()] = true
			}
			if quits, is := flow.Positive(in.Cond); saysShutDown(quits) {
				told[in] = flow.Settled(is)
			} else if side := c.unshown(in, map[*ssa.Function]bool{}); side != flow.Either {
				told[in] = side
			}
		}
	}
	var left *ssa.Return
	walk := &ways.Walk{
		At: func(in ssa.Instruction, k *ways.Known) bool {
			test, ok := in.(*ssa.If)
			return left != nil || ends[in.Block()] || ok && told[test] != flow.Either && k.Of(test.Cond) == told[test]
		},
		Turn:   func(b, s *ssa.BasicBlock) bool { return told[flow.Branch(b)] != flow.Settled(s == b.Succs[0]) },
		Return: func(ret *ssa.Return, _ *ways.Known) { left = ret },
	}
	walk.Through(fn)
	return left
}

// tells reports whether ch tells whoever receives from it that it is time to end.
func (c *checker) tells(ch ssa.Value, fields map[*types.Var]*fieldChan) bool {
	if !blocking.IsTimer(ch) && (blocking.IsDone(ch) || c.bounds.Ends(ch)) {
		return true
	}
	other := fields[chanField(ch)]
	return other != nil && (len(other.closes) > 0 || other.escapes || other.unknown)
}

// asksContext reports whether cond hangs on a context: on its Err, or on what a function says that is given one.
func asksContext(cond ssa.Value) bool {
	if cmp, ok := cond.(*ssa.BinOp); ok {
		return asksContext(cmp.X) || asksContext(cmp.Y)
	}
	v, _ := flow.Positive(cond)
	call, _ := flow.ResultOf(v)
	return call != nil && slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool { return kube.IsContext(a.Type()) })
}

// saysShutDown reports whether v is the result of a queue that says that it is shut down.
func saysShutDown(v ssa.Value) bool {
	call, i := flow.ResultOf(v)
	return call != nil && i == 1 && kube.OfWorkqueue(flow.Callee(&call.Call))
}

// always reports whether s is made whenever its function runs to its end.
func always(s *ssa.Send) bool { return !decided(s) && !flow.InLoop(s.Block()) }
