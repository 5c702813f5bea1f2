package startctx

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// servesReconciled reports whether what start, the Start of n, serves is what the Reconcile of the same object gathers in a field, and nobody else: controllers run on the leader
// alone, and a server on another replica would have nothing to give.
func (c *checker) servesReconciled(start *ssa.Function, n *types.Named) bool {
	if n == nil {
		return false
	}
	method := kubeapi.ReconcileOf(n)
	if !kubeapi.IsReconcile(method) || c.saysNeed() {
		return false
	}
	reconcile := c.pkg.Own(c.pkg.Prog.FuncValue(method.Origin()))
	if reconcile == nil {
		return false
	}
	gathers, runs, serves := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for fn := range c.pkg.Reach(program.Calls, reconcile) {
		gathers[fn] = true
	}
	for fn := range c.pkg.Reach(program.Calls|program.Spawns, start) {
		runs[fn] = true
	}
	for fn := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, start) {
		serves[fn] = !runs[fn]
	}
	gathered, elsewhere, served := map[*types.Var]bool{}, map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, fn := range c.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			if f := fieldRead(in, n); f != nil && serves[fn] {
				served[f] = true
			}
			switch f := c.fillsField(in, n); {
			case f == nil:
			case gathers[fn]:
				gathered[f] = true
			case !serves[fn]:
				elsewhere[f] = true
			}
		}
	}
	for f := range gathered {
		if served[f] && !elsewhere[f] {
			return true
		}
	}
	return false
}

// saysNeed reports whether the package sets the NeedLeaderElection of something, as of a controller's options, which then runs on other replicas, too.
func (c *checker) saysNeed() bool {
	for _, fa := range flow.FieldStores(c.pkg.Funcs...) {
		if f := flow.Field(fa.X.Type(), fa.Field); f != nil && f.Name() == kubeapi.NeedLeaderElection {
			return true
		}
	}
	return false
}

// fieldRead is the field of n that in loads; nil for none.
func fieldRead(in ssa.Instruction, n *types.Named) *types.Var {
	load, ok := in.(*ssa.UnOp)
	if !ok {
		return nil
	}
	return fieldIn(load, n)
}

// fieldIn is the field of n that v is loaded from; nil for other values.
func fieldIn(v ssa.Value, n *types.Named) *types.Var {
	if v == nil {
		return nil
	}
	fa := flow.LoadedFrom(v)
	if fa == nil || kubeapi.Named(fa.X.Type()) != n {
		return nil
	}
	return flow.Field(fa.X.Type(), fa.Field)
}

// fillsField is the field of n, a map or an object of the package, into which in puts something, itself or by a method of that; nil for none.
func (c *checker) fillsField(in ssa.Instruction, n *types.Named) *types.Var {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		return fieldIn(in.Map, n)
	case ssa.CallInstruction:
		method := c.pkg.Callee(in.Common())
		if method == nil || method.Signature.Recv() == nil {
			return nil
		}
		f := fieldIn(flow.Recv(in.Common()), n)
		if f == nil {
			return nil
		}
		for fn := range c.pkg.Reach(program.Calls, method) {
			for in := range flow.Instrs(fn) {
				if _, put := in.(*ssa.MapUpdate); put {
					return f
				}
			}
		}
	}
	return nil
}
