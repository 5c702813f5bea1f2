package expectttl

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// overwrites reports whether e forgets what its key expected before: it sets a count, or the names of what is to come,
// in a store that has a method of its own to add to what is expected.
func (e expectation) overwrites() bool {
	if hasPrefix(strings.ToLower(e.fn.Name()), "raise") {
		return false
	}
	args := flow.Args(&e.call.Call)
	if len(args) < 2 {
		return false
	}
	switch t := args[len(args)-1].Type().Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger == 0 {
			return false
		}
	case *types.Slice:
	default:
		return false
	}
	t := e.store.typ
	if _, ptr := types.Unalias(t).(*types.Pointer); !ptr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		if hasPrefix(strings.ToLower(methods.At(i).Obj().Name()), "raise") {
			return true
		}
	}
	return false
}

// key is the argument that says for whom e expects: the first string or struct that is no logger or context.
func (e expectation) key() ssa.Value { return keyOf(&e.call.Call) }

func keyOf(c *ssa.CallCommon) ssa.Value {
	for _, a := range flow.Args(c) {
		if isKeyType(a.Type()) {
			return a
		}
	}
	return nil
}

// isKeyType reports whether t is a string, or a struct of strings as a NamespacedName is.
func isKeyType(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Struct:
		for i := range u.NumFields() {
			if !isKeyType(u.Field(i).Type()) {
				return false
			}
		}
		return u.NumFields() > 0
	}
	return false
}

// checkOverwritten reports an expectation that another one for the same key replaces before anybody waits for it.
func (g *callGraph) checkOverwritten(e expectation) {
	key := e.key()
	if key == nil || !e.overwrites() {
		return
	}
	if next := g.nextExpectation(e, key); next != nil {
		where := fmt.Sprintf("%s at line %d", flow.Callee(&next.Call).Name(), rule.Line(g.pass, next.Pos()))
		if next == e.call {
			where = "the next pass of the loop"
		}
		g.reportOverwritten(e, e.call.Pos(), where)
		return
	}
	fn := e.call.Parent()
	for _, call := range g.calls(fn) {
		if g.repeatsFor(e, key, call) {
			g.reportOverwritten(e, call.Pos(), "the next pass of this loop")
		}
	}
}

// nextExpectation is the call that replaces e on some way, e itself in a loop; nil where there is none.
func (g *callGraph) nextExpectation(e expectation, key ssa.Value) (next *ssa.Call) {
	w := &ways.Walk{Calls: g.results}
	w.At = func(in ssa.Instruction, _ *ways.Known) bool {
		call, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		if g.settles(call, e.store) {
			return true
		}
		o, ok := asExpectation(call)
		if !ok || !o.store.same(e.store) || !o.overwrites() || o.key() == nil {
			return false
		}
		if call == e.call && !fixedIn(key, loopOf(e.call), 0) || call != e.call && !sameValue(key, o.key(), 0) {
			return false
		}
		if next == nil {
			next = call
		}
		return true
	}
	if !g.follow(w, e.call, nil) {
		return nil
	}
	return next
}

// settles reports whether c asks s, or drops what it expects: what comes then is another round.
func (g *callGraph) settles(c *ssa.Call, s store) bool {
	if recv, r := storeCall(&c.Call); recv != nil {
		return s.mayBe(recv) && (r == drops || r == asks || r == expects && isReset(&c.Call))
	}
	q, ok := g.asQuery(c)
	return ok && q.store.mayAlias(s)
}

// repeatsFor reports whether call, of e's function, stands in a loop in which the key that e is given is always the same.
func (g *callGraph) repeatsFor(e expectation, key ssa.Value, call *ssa.Call) bool {
	loop := loopOf(call)
	if loop == nil {
		return false
	}
	params, ok := paramsOf(key, 0)
	if !ok {
		return false
	}
	args := flow.AllArgs(&call.Call)
	for i, p := range e.call.Parent().Params {
		if params[p] && (i >= len(args) || !fixedIn(args[i], loop, 0)) {
			return false
		}
	}
	again := false
	w := &ways.Walk{Calls: g.results}
	w.At = func(in ssa.Instruction, _ *ways.Known) bool {
		again = again || in == ssa.Instruction(call)
		c, isCall := in.(*ssa.Call)
		return again || isCall && g.settles(c, e.store)
	}
	return g.follow(w, call, nil) && again
}

// loopOf is the innermost loop that in lies in, nil for none.
func loopOf(in ssa.Instruction) (inner *flow.Loop) {
	for _, l := range flow.Loops(in.Parent()) {
		if l.Blocks[in.Block()] && (inner == nil || len(l.Blocks) < len(inner.Blocks)) {
			inner = l
		}
	}
	return inner
}

// fixedIn reports whether v has one value in all passes of loop: it is made outside, or computed from what is.
func fixedIn(v ssa.Value, loop *flow.Loop, depth int) bool {
	if loop == nil || depth > 12 {
		return false
	}
	in, ok := v.(ssa.Instruction)
	if !ok || !loop.Blocks[in.Block()] {
		return true
	}
	switch v := v.(type) {
	case *ssa.Phi, *ssa.Next, *ssa.Alloc, *ssa.Lookup, *ssa.Index, *ssa.IndexAddr:
		return false
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return false
		}
		if v.Op == token.MUL {
			return fixedPlace(v.X, loop, depth+1)
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && !fixedIn(*op, loop, depth+1) {
			return false
		}
	}
	return true
}

// fixedPlace reports whether what lies at addr does not change in loop: it is a variable or a field that nothing in the
// loop is stored to.
func fixedPlace(addr ssa.Value, loop *flow.Loop, depth int) bool {
	p := flow.PathOf(addr)
	if !p.Known() || !fixedIn(p.Root, loop, depth) || strings.Contains(p.Sel, "[") {
		return false
	}
	fixed := true
	loop.Instrs(func(in ssa.Instruction) {
		if st, ok := in.(*ssa.Store); ok && flow.PathOf(st.Addr) == p {
			fixed = false
		}
	})
	return fixed
}

// paramsOf are the parameters that v is computed from; false where something else than constants comes in.
func paramsOf(v ssa.Value, depth int) (map[*ssa.Parameter]bool, bool) {
	params := map[*ssa.Parameter]bool{}
	var visit func(v ssa.Value, depth int) bool
	visit = func(v ssa.Value, depth int) bool {
		if depth > 12 {
			return false
		}
		switch v := v.(type) {
		case *ssa.Parameter:
			params[v] = true
			return true
		case *ssa.Const, *ssa.Function, *ssa.Global, *ssa.Builtin:
			return true
		case *ssa.Phi, *ssa.FreeVar, *ssa.Next, *ssa.Alloc:
			return false
		case *ssa.UnOp:
			if v.Op == token.MUL {
				p := flow.PathOf(v.X)
				return p.Known() && p.Root != ssa.Value(v) && visit(p.Root, depth+1)
			}
		case *ssa.Call:
			for _, a := range v.Call.Args {
				if !visit(a, depth+1) {
					return false
				}
			}
			return !v.Call.IsInvoke() || visit(v.Call.Value, depth+1)
		}
		in, ok := v.(ssa.Instruction)
		if !ok {
			return false
		}
		for _, op := range in.Operands(nil) {
			if *op != nil && !visit(*op, depth+1) {
				return false
			}
		}
		return true
	}
	return params, visit(v, depth)
}

// sameValue reports whether a and b are equal for sure: one register, one place, or the same computation of such.
func sameValue(a, b ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	if depth > 6 {
		return false
	}
	if p := flow.PathOf(a); p.Known() && p == flow.PathOf(b) && p.Root != a {
		return true
	}
	a, b = flow.Resolve(a), flow.Resolve(b)
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.Const:
		y, ok := b.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString()
	case *ssa.Extract:
		y, ok := b.(*ssa.Extract)
		return ok && x.Index == y.Index && sameValue(x.Tuple, y.Tuple, depth+1)
	case *ssa.BinOp:
		y, ok := b.(*ssa.BinOp)
		return ok && x.Op == y.Op && sameValue(x.X, y.X, depth+1) && sameValue(x.Y, y.Y, depth+1)
	case *ssa.Call:
		y, ok := b.(*ssa.Call)
		if !ok || flow.Callee(&x.Call) == nil || flow.Callee(&x.Call) != flow.Callee(&y.Call) || len(x.Call.Args) != len(y.Call.Args) {
			return false
		}
		for i := range x.Call.Args {
			if !sameValue(x.Call.Args[i], y.Call.Args[i], depth+1) {
				return false
			}
		}
		return !x.Call.IsInvoke() || sameValue(x.Call.Value, y.Call.Value, depth+1)
	}
	return false
}

func (g *callGraph) reportOverwritten(e expectation, pos token.Pos, by string) {
	what := "this " + e.fn.Name()
	related := []analysis.RelatedInformation(nil)
	if pos != e.call.Pos() {
		what = fmt.Sprintf("%s at line %d", e.fn.Name(), rule.Line(g.pass, e.call.Pos()))
		related = append(related, analysis.RelatedInformation{Pos: e.call.Pos(), Message: e.fn.Name() + " of " + e.store.path.String() + " sets the expectation here"})
	}
	rule.Report(g.pass, rule.Finding{
		Pos: pos, Sub: "overwritten", Related: related,
		Message: fmt.Sprintf("%s forgets what %s expects when %s sets the same key again: it counts as satisfied before all has been seen",
			e.store.path, what, by),
	})
}
