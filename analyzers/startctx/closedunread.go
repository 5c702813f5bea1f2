package startctx

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// closedUnread reports the components that a method runs with what never ends, where another method of the object closes a channel to end something, and
// nobody reads that: whoever stops the object stops nothing.
func (c *checker) closedUnread() {
	if c.pkg.Pkg.Name() == "main" {
		return // whose objects live as long as the process
	}
	unread := c.unreadFields()
	if len(unread) == 0 {
		return
	}
	fields := slices.SortedFunc(maps.Keys(unread), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	for _, fn := range c.pkg.Funcs {
		if flow.Decl(fn).Signature.Recv() == nil {
			continue
		}
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if !c.runsForever(call.Common()) {
				return
			}
			for _, f := range fields {
				closes := unread[f]
				if c.seen[call] || !ownedBy(flow.Decl(fn), f) || c.endsBesides(closes, f) {
					continue
				}
				c.seen[call] = true
				c.report(rule.Finding{
					Pos: flow.Pos(call), Sub: "loop", Site: "unread-stop",
					Message: fmt.Sprintf("%s goes on forever with what it is given here: %s closes %s, and nobody reads that; give it a context or stop channel that ends then",
						c.called(call), flow.FuncName(closes.Parent()), f.Name()),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(closes), Message: f.Name() + " is closed here"}},
				})
			}
		})
	}
}

// runsForever reports whether call runs a component with a context or stop channel that never ends.
func (c *checker) runsForever(call *ssa.CallCommon) bool {
	w, ok := c.table.Call(call)
	if !ok || w.Kind != blocking.Run {
		return false
	}
	until := w.Stop
	if until == nil {
		until = contextArg(call)
	}
	return until != nil && c.bounds.Of(until, nil).Limit == blocking.Never
}

// endsBesides reports whether the function that closes the channel of f, or what it calls, may end anything else.
func (c *checker) endsBesides(closes ssa.CallInstruction, f *types.Var) bool {
	for in := range c.reached(flow.Decl(closes.Parent())) {
		if call, ok := in.(ssa.CallInstruction); ok && closesField(call) == f {
			continue
		}
		if c.endsThing(in) {
			return true
		}
	}
	return false
}

// unreadFields are the fields for channels that only the package can name, that it makes for them alone, and that methods of their object close, where
// nothing else is done with them; with the first of those closes.
func (c *checker) unreadFields() map[*types.Var]ssa.CallInstruction {
	out, made, used := map[*types.Var]ssa.CallInstruction{}, map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, fn := range c.pkg.All() {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				if f := chanField(in.X.Type(), in.Field); f != nil {
					used[f] = used[f] || !onlyClosed(in)
					made[f] = made[f] || getsNew(in)
				}
			case *ssa.Field:
				if f := chanField(in.X.Type(), in.Field); f != nil {
					used[f] = true
				}
			case ssa.CallInstruction:
				f := closesField(in)
				if f == nil {
					continue
				}
				if method := flow.Decl(fn); method.Signature.Recv() == nil || !ownedBy(method, f) {
					used[f] = true
				} else if out[f] == nil {
					out[f] = in
				}
			}
		}
	}
	for f := range out {
		if used[f] || !made[f] {
			delete(out, f)
		}
	}
	return out
}

// chanField is field i of a t where only the package can name it and it is for a channel; nil for others.
func chanField(t types.Type, i int) *types.Var {
	f := flow.Field(t, i)
	if f == nil || f.Exported() || !isChan(f.Type()) {
		return nil
	}
	return f.Origin()
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// closesField is the field whose channel call closes, nil for others.
func closesField(call ssa.CallInstruction) *types.Var {
	ch := flow.Closed(call.Common())
	if ch == nil {
		return nil
	}
	fa := flow.LoadedFrom(ch)
	if fa == nil {
		return nil
	}
	return chanField(fa.X.Type(), fa.Field)
}

// onlyClosed reports whether all that is done at addr, the address of a field, is to put a new channel there that nobody else has, and to close it.
func onlyClosed(addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if made, ok := r.Val.(*ssa.MakeChan); r.Addr != ssa.Value(addr) || !ok || len(*made.Referrers()) > 1 {
				return false
			}
		case *ssa.UnOp:
			for _, use := range *r.Referrers() {
				call, ok := use.(ssa.CallInstruction)
				if _, debug := use.(*ssa.DebugRef); !debug && (!ok || closesField(call) == nil) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// getsNew reports whether a channel that is made for it is put at addr.
func getsNew(addr *ssa.FieldAddr) bool {
	for _, r := range *addr.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(addr) {
			return true
		}
	}
	return false
}
