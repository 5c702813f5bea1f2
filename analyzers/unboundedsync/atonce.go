package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// overAtOnce reports whether the wait for caches at call is over when it begins: nobody has asked for an informer by then, or the same caches
// have been waited for before the function was started.
func (c *checker) overAtOnce(call ssa.CallInstruction) bool {
	return c.asksNothing(call) || startsEmpty(call) || c.syncedBefore(call)
}

// startsEmpty reports whether call waits for a cache that its function has made, has a goroutine start, and has not asked for an informer yet: it waits for
// that goroutine to begin, and for no server.
func startsEmpty(call ssa.CallInstruction) bool {
	if !blocking.Empty(call) {
		return false
	}
	owner := blocking.CacheOwner(call)
	starts := func(start ssa.CallInstruction) bool {
		fn, recv := flow.Callee(start.Common()), flow.Recv(start.Common())
		return kubeapi.IsStart(fn) && recv != nil && types.Identical(recv.Type(), owner.Type())
	}
	return flow.Any(flow.InstrsOf[*ssa.Go](call.Parent()), func(spawn *ssa.Go) bool {
		lit := flow.FuncValue(spawn.Call.Value)
		inside := lit != nil && lit.Parent() == call.Parent() && flow.Any(flow.Calls(lit), starts)
		return flow.Dominates(spawn, call) && (inside || starts(spawn))
	})
}

// asksNothing reports whether call waits for a factory that the function has made, and of which nothing was asked before.
func (c *checker) asksNothing(call ssa.CallInstruction) bool {
	recv := flow.Recv(call.Common())
	if recv == nil {
		return false
	}
	made, ok := flow.Resolve(recv).(*ssa.Call)
	if !ok || !c.makesFactory(made) || made.Parent() != call.Parent() {
		return false
	}
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		if r == ssa.Instruction(call) {
			return false
		}
		if name, _ := called(r, made); kubeapi.StartsFactory(name) || kubeapi.WaitsForFactory(name) {
			return false
		}
		return flow.Reaches(r, call, nil)
	})
}

// syncedBefore reports whether another wait of the package, in a function that leads to that of call, is for all of the caches that call
// waits for: they are known by the fields that have their HasSynced. What has synced stays so.
func (c *checker) syncedBefore(call ssa.CallInstruction) bool {
	wanted := syncedFields(call)
	if len(wanted) == 0 {
		return false
	}
	found := false
	for _, fn := range c.pkg.Funcs {
		if found || fn == call.Parent() {
			continue
		}
		for other := range flow.Calls(fn) {
			if _, here := other.(*ssa.Call); !here || found {
				continue
			}
			if len(c.waits(other)) == 0 {
				continue
			}
			has := loadedSynced(fn)
			if slices.ContainsFunc(wanted, func(f *types.Var) bool { return !slices.Contains(has, f) }) {
				continue
			}
			ends := slices.ContainsFunc(c.waits(other), func(w wait) bool { return c.endOfWait(other, w).Limit != blocking.Never })
			found = ends && c.leadsTo(fn, call.Parent())
		}
	}
	return found
}

// leadsTo reports whether fn runs to, or starts it.
func (c *checker) leadsTo(fn, to *ssa.Function) bool {
	return flow.Any(c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, fn), func(f *ssa.Function) bool {
		return f == to
	})
}

// syncedFields are the fields that have the HasSynced functions which call is given; nil where one of them is no field.
func syncedFields(call ssa.CallInstruction) []*types.Var {
	args := flow.Args(call.Common())
	if len(args) == 0 {
		return nil
	}
	var out []*types.Var
	for _, v := range flow.Elements(args[len(args)-1]) {
		f := syncedField(flow.Resolve(v))
		if f == nil {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// loadedSynced are the fields with such functions that fn loads, to wait for them.
func loadedSynced(fn *ssa.Function) []*types.Var {
	var out []*types.Var
	for v := range flow.InstrsOf[ssa.Value](fn) {
		if f := syncedField(v); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// syncedField is the field that v is loaded from, where it is a function that says yes or no.
func syncedField(v ssa.Value) *types.Var {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = flow.Resolve(c.X)
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	sig, isFunc := load.Type().Underlying().(*types.Signature)
	if !ok || !isFunc || sig.Params().Len() > 0 || sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) {
		return nil
	}
	return flow.Field(fa.X.Type(), fa.Field).Origin()
}
