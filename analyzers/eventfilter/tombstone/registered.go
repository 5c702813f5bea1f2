package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// keptFrom reports whether the struct of handlers at v, or v itself, is given to somebody who calls it by himself, and may have taken the
// object out of the tombstone before: a function of a package that tells handlers of deletions, or a method of an interface of whose bodies nothing
// is known.
func (t *tombstones) keptFrom(v ssa.Value) bool { return t.kept(v) == keeps }

// keeping says who calls a handler.
type keeping int

const (
	unseen    keeping = iota
	registers         // an informer
	keeps             // somebody else
)

// kept says who calls the handler v. What one place does with it as an informer would is enough.
func (t *tombstones) kept(v ssa.Value) keeping {
	result := unseen
	work := values.From(v)
	for in, v := range work.Uses() {
		if call, ok := in.(ssa.CallInstruction); ok {
			k := t.keptBy(call, v, work)
			if k == registers {
				return k
			}
			result = max(result, k)
		}
	}
	return result
}

// keptBy says what call does with the handler v, one of its arguments, and adds to handlers what else is the handler behind it.
func (t *tombstones) keptBy(call ssa.CallInstruction, v ssa.Value, handlers *values.Worklist) keeping {
	common := call.Common()
	callee := flow.Callee(common)
	if callee == nil || callee.Pkg() == nil {
		return unseen
	}
	if common.IsInvoke() && common.Value == v {
		return keeps // one of its methods is called
	}
	if kubeapi.IsLibrary(callee.Pkg().Path()) {
		return registers
	}
	own := t.pkg.Own(flow.StaticCallee(common))
	if w := words.Of(callee.Name()); own == nil && len(w) > 2 && slices.Equal(w[:3], []string{"add", "event", "handler"}) {
		return unseen // called as an informer's method is: who calls the handler is not known
	}
	if c, ok := call.(*ssa.Call); ok && c.Call.Signature().Results().Len() == 1 && kubeapi.IsResourceEventHandler(c.Type()) {
		handlers.Add(c) // a handler around the handler
		return unseen
	}
	i := slices.Index(common.Args, v)
	switch {
	case i < 0:
	case own != nil && len(own.Params) == len(common.Args):
		handlers.Add(own.Params[i])
		if t.tells() {
			return keeps
		}
	case common.IsInvoke():
		return keeps
	default:
		if f := t.imported(callee); f != nil && slices.Contains(f.Keeps, i) {
			return keeps
		}
	}
	return unseen
}

// callsHandlers reports whether the package itself tells handlers of deletions.
func (t *tombstones) callsHandlers() bool {
	return flow.Any(flow.Calls(t.pkg.All()...), func(call ssa.CallInstruction) bool {
		common := call.Common()
		return common.IsInvoke() && kubeapi.IsHandlerOf(common.Method, kubeapi.EventDelete) && kubeapi.IsInformerHandler(common.Value.Type())
	})
}

// keepsOf are the parameters of fn, handlers, that it hands to no informer.
func (t *tombstones) keepsOf(fn *ssa.Function) []int {
	var out []int
	for i, p := range fn.Params {
		if kubeapi.IsInformerHandler(p.Type()) && t.kept(p) == keeps {
			out = append(out, i)
		}
	}
	return out
}
