package startctx

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a method Start is that of a Runnable is decided where its object is handed to a manager. If its package knows of no manager, the
// findings about it are deferred until another package does that.

// handedOver is the kind of the condition that the object of a method Start is handed to a manager.
const handedOver = "Start of a Runnable"

// deferStarts defers the findings about methods Start that are those of Runnables if a manager gets their objects, and that the package itself
// does not know to be.
func (c *checker) deferStarts() {
	if c.managed || rule.IsDependency(c.pass) {
		return
	}
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !kubeapi.IsRunnableStart(obj) || len(fn.Params) != 2 {
			continue
		}
		told := c.told
		c.told = map[token.Pos]bool{} // what another Start has in common with it is reported of both
		c.keep = func(f rule.Finding) { c.unit.Defer(f, link.Condition{Kind: handedOver, Of: obj.FullName()}) }
		c.judge(kubeapi.Runnable{Fn: fn, Stop: fn.Params[1], Name: flow.FuncName(fn), Managed: true})
		c.keep, c.told = nil, told
	}
}

// judge reports what is wrong with r, of which no manager is known here.
func (c *checker) judge(r kubeapi.Runnable) {
	if op := c.ignoredBy(r); op == nil {
		c.endless(r)
	} else if !c.endedByOthers(op) {
		c.ignored(r)
	}
}

// endedByOthers reports whether those who have the object of the method have what op waits for, and so may end it: it is in an exported field, or
// in one that is filled with what others give.
func (c *checker) endedByOthers(op *operation) bool {
	if givenBy(op) {
		return true
	}
	var fields []*types.Var
	for _, v := range op.on {
		p := flow.PathOf(v)
		if !p.Known() {
			return true
		}
		for _, s := range p.Steps() {
			if s.Field != nil {
				fields = append(fields, s.Field)
			}
		}
	}
	return flow.Any(flow.InstrsOf[*ssa.Store](c.pkg.Funcs...), func(st *ssa.Store) bool {
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || !slices.Contains(fields, flow.Field(fa.X.Type(), fa.Field)) {
			return false
		}
		_, given := flow.Resolve(st.Val).(*ssa.Parameter)
		return given
	})
}

// handed reports the deferred findings of other packages about Runnables that this one hands to managers.
func (c *checker) handed() {
	done := map[*types.Func]bool{}
	for _, a := range c.adds {
		start := startOfAdd(a)
		if start == nil || done[start] {
			continue
		}
		done[start] = true
		for _, f := range c.unit.For(link.Condition{Kind: handedOver, Of: start.FullName()}) {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: a.Pos, Message: "it is handed to the manager here"})
			c.report(f)
		}
	}
}

// startOfAdd is the function of another package that a manager runs for a.
func startOfAdd(a kubeapi.AddedRunnable) *types.Func {
	if a.Fn != nil || a.Far != nil {
		return a.Far
	}
	n := kubeapi.Named(a.What.Type())
	if n == nil || types.IsInterface(n) {
		return nil
	}
	if m := kubeapi.StartOf(types.NewPointer(n)); m != nil {
		return m.Origin()
	}
	return nil
}

// givenBy reports whether the caller has what op waits for, and so may end it: it was passed, or is in an exported field.
func givenBy(op *operation) bool {
	return slices.ContainsFunc(op.on, func(v ssa.Value) bool {
		p := flow.PathOf(v)
		param, ok := p.Root.(*ssa.Parameter)
		if !ok {
			return false
		}
		own := param.Parent().Signature.Recv() != nil && param == param.Parent().Params[0]
		return !own || slices.ContainsFunc(p.Steps(), func(s flow.Step) bool { return s.Field != nil && s.Field.Exported() })
	})
}
