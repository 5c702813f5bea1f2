package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// leftReaders reports the sends to a reader of an object that leaves for good when another channel of that object is closed: nobody
// receives from then on, and a send that waits for nothing else stays. The object is one of many, so that the process goes on, and the
// sends are on goroutines for which whoever closes the channel does not wait.
func (c *checker) leftReaders() {
	fields := c.fieldChans()
	var spawned map[*ssa.Function]bool
	for _, f := range inOrder(fields) {
		u := fields[f]
		if !u.meets() {
			continue
		}
		left := c.leaves(f, u, fields)
		if left == nil {
			continue
		}
		if spawned == nil {
			spawned = c.spawned()
		}
		for _, s := range u.sends {
			if spawned[s.Parent()] && !c.knows(s) && c.wanted(flow.Pos(s)) {
				c.reportLeft(s, f, left, u.receives[0])
				break
			}
		}
	}
}

// leaves is the call that closes another channel of the object of f at which all who receive from f leave, where the object is one of many; nil
// where there is none.
func (c *checker) leaves(f *types.Var, u *fieldChan, fields map[*types.Var]*fieldChan) ssa.CallInstruction {
	var end *types.Var
	for _, r := range u.receives {
		sel, ok := r.(*ssa.Select)
		if !ok || !flow.InLoop(sel.Block()) {
			return nil
		}
		d := leavesAt(sel, f, u)
		if d == nil || end != nil && d != end {
			return nil
		}
		end = d
	}
	closing := fields[end]
	if closing == nil || closing.escapes || closing.shared {
		return nil
	}
	for _, at := range closing.closes {
		if ender := flow.Decl(at.Parent()); !c.drains(ender, f) && c.endsOneOfMany(ender, u) {
			return at
		}
	}
	return nil
}

// leavesAt is the field of the object of f for whose channel sel waits, too, and then returns without another receive from f.
func leavesAt(sel *ssa.Select, f *types.Var, u *fieldChan) *types.Var {
	owner := ownerOf(sel, f)
	for i, s := range sel.States {
		d := chanField(s.Chan)
		if s.Dir != types.RecvOnly || d == nil || d == f || !owner.Known() || ownerOf(sel, d) != owner {
			continue
		}
		if b := flow.CaseOf(sel, i); b != nil && (&chanUses{receives: u.receives}).returns(b) {
			return d
		}
	}
	return nil
}

// ownerOf is the object whose field f sel waits for.
func ownerOf(sel *ssa.Select, f *types.Var) flow.Path {
	for _, s := range sel.States {
		if fa := flow.LoadedFrom(flow.Unwrap(s.Chan)); fa != nil && flow.Field(fa.X.Type(), fa.Field) == f {
			return flow.PathOf(fa.X)
		}
	}
	return flow.Path{}
}

// endsOneOfMany reports whether ender, a method, is called for one object of several, or for one that its caller has made for itself, by
// somebody who does not send itself, waits for no group of goroutines, and is neither the whole program nor a part that runs as long.
func (c *checker) endsOneOfMany(ender *ssa.Function, u *fieldChan) bool {
	if ender.Signature.Recv() == nil {
		return false
	}
	return slices.ContainsFunc(c.pkg.Callers(ender), func(call ssa.CallInstruction) bool {
		fn := call.Parent()
		switch words.Of(flow.Decl(fn).Name())[0] {
		case "start", "run", "serve", "listen", "watch", "main":
			return false
		}
		return isElement(flow.AllArgs(call.Common())[0], fn) && !c.joins(fn) && !c.sendsItself(fn, u)
	})
}

// isElement reports whether v is what fn has got out of a list or a map, or a part of that, or what fn has made.
func isElement(v ssa.Value, fn *ssa.Function) bool {
	for {
		v = flow.Resolve(v)
		switch x := v.(type) {
		case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
			return true
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.Extract:
			switch x.Tuple.(type) {
			case *ssa.Lookup, *ssa.Next:
				return true
			case *ssa.Call:
				v = x.Tuple
			default:
				return false
			}
		case *ssa.Alloc:
			st := onlyStore(x)
			if st == nil {
				return x.Parent() == fn
			}
			v = st.Val
		case *ssa.Call:
			callee := flow.StaticCallee(&x.Call)
			return callee != nil && x.Parent() == fn && slices.ContainsFunc(slices.Collect(flow.Returns(callee)), func(ret *ssa.Return) bool {
				made, ok := flow.Resolve(ret.Results[0]).(*ssa.Alloc)
				return ok && made.Heap
			})
		default:
			return false
		}
	}
}

// onlyStore is the one store to all of the variable v.
func onlyStore(v *ssa.Alloc) (only *ssa.Store) {
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) {
			if only != nil {
				return nil
			}
			only = st
		}
	}
	return only
}

// sendsItself reports whether fn, or what it runs, makes one of the sends of u: then they come one after the other.
func (c *checker) sendsItself(fn *ssa.Function, u *fieldChan) bool {
	for f := range c.pkg.Reach(program.Calls|program.Dispatches, fn) {
		if slices.ContainsFunc(u.sends, func(s *ssa.Send) bool { return s.Parent() == f }) {
			return true
		}
	}
	return false
}

// joins reports whether fn, or what it runs, waits for a group of goroutines.
func (c *checker) joins(fn *ssa.Function) bool {
	for f := range c.pkg.Reach(program.Calls, fn) {
		found := false
		flow.Calls(f, func(at ssa.CallInstruction) {
			call, ok := at.(*ssa.Call)
			found = found || ok && c.waitsFor(call, flow.PathOf(flow.Recv(&call.Call)))
		})
		if found {
			return true
		}
	}
	return false
}

// spawned are the functions that goroutines of the package come to.
func (c *checker) spawned() map[*ssa.Function]bool {
	var from []*ssa.Function
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			if g, ok := at.(*ssa.Go); ok {
				from = append(from, c.pkg.Callee(&g.Call))
			}
		})
	}
	out := map[*ssa.Function]bool{}
	for fn := range c.pkg.Reach(program.Calls|program.Dispatches|program.Implementations, from...) {
		out[fn] = true
	}
	return out
}

func (c *checker) reportLeft(s *ssa.Send, f *types.Var, end ssa.CallInstruction, receive ssa.Instruction) {
	d := chanField(end.Common().Args[0])
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(s), Sub: "abandoned", Site: "closing-reader",
		Message: fmt.Sprintf("this send waits forever once %s has closed %s: who receives from %s leaves then (line %d), and nobody else does; select on %s, too",
			flow.FuncName(flow.Decl(end.Parent())), d.Name(), f.Name(), rule.Line(c.pass, flow.Pos(receive)), d.Name()),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(end), Message: "closed here"}, {Pos: flow.Pos(receive), Message: "the only one who receives"}},
	})
}
