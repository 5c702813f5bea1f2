package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// closedReaders reports the sends to those who read through a type of the package and may stop to do so: who has closed an io.ReadCloser,
// or stopped a watch.Interface, reads no more, and a send that waits for nothing else stays.
func (c *checker) closedReaders() {
	scope, seen := c.pass.Pkg.Scope(), map[*types.Var]bool{}
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(n) || n.TypeParams().Len() > 0 {
			continue
		}
		read, end := c.contract(n)
		if read == nil || end == nil {
			continue
		}
		own := c.pkg.Own(c.pkg.Prog.FuncValue(end.Origin()))
		for _, f := range readFields(read) {
			if seen[f] || own != nil && c.drains(own, f) || c.hasRoom(f) {
				continue
			}
			seen[f] = true // what embeds the type has the same
			c.sendsTo(f, end)
		}
	}
}

// contract are the methods of n by which others read, which is declared here, and by which they say that they read no more. The latter may be
// one of what n wraps, which knows nothing of the channel of n.
func (c *checker) contract(n *types.Named) (read *ssa.Function, end *types.Func) {
	method := func(name string) *ssa.Function {
		m := kubeapi.Method(types.NewPointer(n), name)
		if m == nil || m.Pkg() != c.pass.Pkg {
			return nil
		}
		return c.pkg.Own(c.pkg.Prog.FuncValue(m.Origin()))
	}
	if r := method("Read"); r != nil && r.Signature.Params().Len() == 1 && r.Signature.Results().Len() == 2 {
		return r, kubeapi.Method(types.NewPointer(n), "Close")
	}
	if r := method("ResultChan"); r != nil && r.Signature.Results().Len() == 1 {
		return r, kubeapi.Method(types.NewPointer(n), "Stop")
	}
	return nil, nil
}

// readFields are the fields of the receiver of read whose channels it receives from, or gives to its caller.
func readFields(read *ssa.Function) []*types.Var {
	var out []*types.Var
	note := func(ch ssa.Value) {
		if f := chanField(ch); f != nil && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for in := range flow.Instrs(read) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				note(in.X)
			}
		case *ssa.Select:
			for _, s := range in.States {
				if s.Dir == types.RecvOnly {
					note(s.Chan)
				}
			}
		case *ssa.Return:
			for _, r := range in.Results {
				if _, ch := r.Type().Underlying().(*types.Chan); ch {
					note(r)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(f *types.Var) bool { // what tells of an end is closed, and not sent
		ch, ok := f.Type().Underlying().(*types.Chan)
		return !ok || flow.IsEmptyStruct(ch.Elem())
	})
}

// chanField is the field that the channel ch is loaded from, nil for none.
func chanField(ch ssa.Value) *types.Var {
	if x, ok := flow.Unwrap(ch).(*ssa.Field); ok {
		return origin(flow.Field(x.X.Type(), x.Field))
	}
	fa := flow.LoadedFrom(flow.Unwrap(ch))
	if fa == nil {
		return nil
	}
	return origin(flow.Field(fa.X.Type(), fa.Field))
}

// origin is the field of the generic type of which f is one of an instance.
func origin(f *types.Var) *types.Var {
	if f == nil {
		return nil
	}
	return f.Origin()
}

// drains reports whether end, or what it runs or starts, receives from f, too, or closes it, so that nobody is kept.
func (c *checker) drains(end *ssa.Function, f *types.Var) bool {
	for fn := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, end) {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op == token.ARROW && chanField(in.X) == f {
					return true
				}
			case *ssa.Select:
				if slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && chanField(s.Chan) == f }) {
					return true
				}
			case *ssa.Call:
				if ch := flow.Closed(&in.Call); ch != nil && chanField(ch) == f {
					return true // a send panics
				}
			}
		}
	}
	return false
}

// hasRoom reports whether a channel for f is made with room for as much as is known when it is made.
func (c *checker) hasRoom(f *types.Var) bool {
	for st, fa := range flow.FieldStores(c.pkg.Funcs...) {
		made, ok := flow.Resolve(st.Val).(*ssa.MakeChan)
		if !ok || flow.Field(fa.X.Type(), fa.Field) != f || flow.IsZeroInt(made.Size) {
			continue
		}
		if _, given := flow.Resolve(made.Size).(*ssa.Parameter); !given {
			return true
		}
	}
	return false
}

// sendsTo reports the sends in loops to the channel in f, by themselves, that nothing decides about which the object knows.
func (c *checker) sendsTo(f *types.Var, end *types.Func) {
	for _, fn := range c.pkg.Funcs {
		for s := range flow.InstrsOf[*ssa.Send](fn) {
			if !flow.InLoop(s.Block()) || !c.goesInto(s.Chan, f) || c.knows(s) || !c.wanted(flow.Pos(s)) {
				continue
			}
			var related []analysis.RelatedInformation
			if end.Pkg() == c.pass.Pkg {
				related = []analysis.RelatedInformation{{Pos: end.Pos(), Message: "this stops the receiver, but not the sender"}}
			}
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(s), Sub: "abandoned", Site: "closed-reader",
				Message: fmt.Sprintf("send blocks forever (goroutine leak) once %s is called: it stops the only receiver of %s; select on the stop signal as well",
					c.nameOf(end), f.Name()),
				Related: related,
			})
			break // one a function
		}
	}
}

// nameOf is what a message calls the method fn.
func (c *checker) nameOf(fn *types.Func) string {
	if own := c.pkg.Own(c.pkg.Prog.FuncValue(fn.Origin())); own != nil {
		return flow.FuncName(own)
	}
	return fn.Name()
}

// goesInto reports whether the channel ch is the one in the field f: it is loaded from there, is made for it, or is a parameter that a
// caller gives such a channel.
func (c *checker) goesInto(ch ssa.Value, f *types.Var) bool {
	work := values.From(ch)
	for ch := range work.All() {
		if chanField(ch) == f {
			return true
		}
		switch x := flow.Resolve(ch).(type) {
		case *ssa.MakeChan:
			for st, fa := range flow.FieldStores(x.Parent()) {
				if flow.IsZeroInt(x.Size) && flow.Field(fa.X.Type(), fa.Field) == f && flow.Resolve(st.Val) == ssa.Value(x) {
					return true
				}
			}
		case *ssa.Parameter:
			work.Add(values.Arguments(c.pkg, x)...)
		}
	}
	return false
}

// knows reports whether a test of a field decides about s: it may say that nobody reads any more.
func (c *checker) knows(s *ssa.Send) bool {
	return guardedBy(s, func(addr ssa.Value) bool { _, field := addr.(*ssa.FieldAddr); return field })
}
