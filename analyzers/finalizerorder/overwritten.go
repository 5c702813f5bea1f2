package finalizerorder

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// checkOverwritten reports the functions that fn gives CreateOrUpdate and its kin to change the stored object, and that put a list in the
// place of its finalizers that has none of the stored ones: one that is written out, or that of an object that is made here.
func (a *analyzer) checkOverwritten(fn *ssa.Function) {
	for call := range flow.Calls(fn) {
		for _, w := range afterMutation(call, flow.Callee(call.Common())) {
			for _, arg := range flow.Args(call.Common()) {
				if mutate := a.pkg.Own(flow.FuncValue(arg)); mutate != nil && mutate.Parent() != nil {
					a.overwrites(mutate, w)
				}
			}
		}
	}
}

// overwrites reports the stores in mutate to the finalizers of what w writes.
func (a *analyzer) overwrites(mutate *ssa.Function, w event) {
	for st, fa := range flow.FieldStores(mutate) {
		x := finalizersField(fa)
		if x == nil {
			continue
		}
		o := objectOf(x)
		made := a.writtenOutAt(st.Val)
		if o.path != w.obj.path || !made.IsValid() || looksBefore(st, o) {
			continue
		}
		rule.Report(a.pass, rule.Finding{
			Pos: flow.Pos(st), Sub: "dropped", Site: "overwritten-list",
			Message: fmt.Sprintf("%s loses the finalizers of other controllers: the list of line %d overwrites the stored one; append to the stored list",
				nameOf(a.pass, w), rule.Line(a.pass, made)),
			Related: []analysis.RelatedInformation{{Pos: made, Message: "the new list"}, {Pos: w.in.Pos(), Message: "the stored object is read, changed and written here"}},
		})
	}
}

// looksBefore reports whether a test of the object o decides about in, or its function reads the finalizers that are there: to keep them.
func looksBefore(in ssa.Instruction, o object) bool {
	reads := func(test *ssa.If, t flow.Truth) bool { return t != flow.Unknown && values.ReadsFrom(test.Cond, o.path) }
	if flow.Any2(flow.PathCondition(in.Block()), reads) {
		return true
	}
	return flow.Any(flow.InstrsOf[*ssa.UnOp](in.Parent()), func(load *ssa.UnOp) bool {
		if load.Op != token.MUL {
			return false
		}
		x := finalizersField(load.X)
		return x != nil && objectOf(x).path == o.path
	})
}

// writtenOutAt is where the list v of finalizers is written out, or that of the object from which v is taken and that is made in sight; NoPos
// for any other.
func (a *analyzer) writtenOutAt(v ssa.Value) token.Pos {
	v = flow.Resolve(v)
	if isWrittenOut(v) {
		return v.Pos()
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || finalizersField(load.X) == nil {
		return token.NoPos
	}
	from := flow.Resolve(finalizersField(load.X))
	switch x := from.(type) {
	case *ssa.Alloc:
		return finalizersOf(x)
	case *ssa.Extract, *ssa.Call:
		call, i := flow.ResultOf(x)
		if call == nil {
			return token.NoPos
		}
		maker := a.pkg.Callee(&call.Call)
		if maker == nil {
			return token.NoPos
		}
		for ret := range flow.Returns(maker) {
			if alloc, ok := flow.Resolve(ret.Results[i]).(*ssa.Alloc); ok {
				if at := finalizersOf(alloc); at.IsValid() {
					return at
				}
			}
		}
	}
	return token.NoPos
}

// finalizersOf is where the finalizers of the new object are written out, NoPos where they are not.
func finalizersOf(made *ssa.Alloc) token.Pos {
	at := token.NoPos
	for st, fa := range flow.FieldStores(made.Parent()) {
		x := finalizersField(fa)
		if x == nil || flow.Resolve(x) != ssa.Value(made) && !putInto(x, made) {
			continue
		}
		if !isWrittenOut(flow.Resolve(st.Val)) {
			return token.NoPos
		}
		at = st.Val.Pos()
		if !at.IsValid() {
			at = made.Pos()
		}
	}
	return at
}

// putInto reports whether the metadata x, a variable of its own, is put into the new object.
func putInto(x ssa.Value, made *ssa.Alloc) bool {
	for st, fa := range flow.FieldStores(made.Parent()) {
		load, ok := st.Val.(*ssa.UnOp)
		if ok && load.Op == token.MUL && load.X == x && fa.X == ssa.Value(made) {
			return true
		}
	}
	return false
}

// isWrittenOut reports whether v is a list that is written out, and not empty.
func isWrittenOut(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && flow.WrittenOut(s.X) == "slicelit" && len(flow.Elements(s)) > 0
}
