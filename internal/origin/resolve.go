package origin

import (
	"go/types"
	"maps"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

const tooManyTargets = "calls may run more functions than are followed"

// resolve finds what a call of a function value or an interface method may run; the second result is true if it may
// run more than that.
func (ix *Index) resolve(c ssa.CallInstruction) ([]Target, bool) {
	call := c.Common()
	if call.IsInvoke() {
		return ix.resolveInvoke(c)
	}
	fns, partial := ix.funcs(call.Value, MaxTargets)
	if len(fns) > MaxTargets {
		ix.cut(tooManyTargets, c)
		return nil, true
	}
	out := make([]Target, 0, len(fns))
	for _, f := range fns {
		t := Target{Func: f, Args: call.Args}
		if f.Bound {
			t.Args = append([]ssa.Value{f.Closure.Bindings[0]}, call.Args...)
		}
		out = append(out, t)
	}
	own := slices.DeleteFunc(out, func(t Target) bool { return !ix.has(t.Fn) })
	return own, partial || len(own) < len(fns)
}

// has reports whether the package has the body of fn.
func (ix *Index) has(fn *ssa.Function) bool { return fn.Pkg == ix.pkg.Package && len(fn.Blocks) > 0 }

// resolveInvoke is class hierarchy analysis over the types of this package (Dean et al., ECOOP 1995), narrowed to the
// types that are known to reach the receiver, where all are, and else to those of which the package makes such an
// interface somewhere (Bacon and Sweeney, OOPSLA 1996, go by the types that are made).
func (ix *Index) resolveInvoke(c ssa.CallInstruction) ([]Target, bool) {
	call := c.Common()
	var recvs []types.Type
	partial := false
	if known, unknown := ix.types(call.Value, MaxTargets); !unknown && len(known) > 0 {
		recvs = known
	} else if partial = ix.open(call.Value.Type()); call.Method.Pkg() == ix.pkg.Pkg {
		impls := ix.implementers(call)
		if len(impls) > MaxTargets {
			ix.cut(tooManyTargets, c)
			return nil, true
		}
		for _, n := range impls {
			if ix.becomes(n, call.Value.Type()) {
				recvs = append(recvs, types.NewPointer(n))
			}
		}
	} else {
		partial = true
	}
	if len(recvs) > MaxTargets {
		ix.cut(tooManyTargets, c)
		return nil, true
	}
	out, all := ix.methods(call, recvs)
	return out, partial || !all
}

// methods returns the methods that the call runs on receivers of these dynamic types, and whether the package has the
// bodies of all.
func (ix *Index) methods(call *ssa.CallCommon, recvs []types.Type) (out []Target, all bool) {
	all = true
	for _, t := range recvs {
		obj, path, _ := types.LookupFieldOrMethod(t, true, ix.pkg.Pkg, call.Method.Name())
		m, ok := obj.(*types.Func)
		if !ok {
			all = false
			continue
		}
		fn := ix.pkg.Prog.FuncValue(m.Origin())
		if fn == nil {
			all = false
			continue
		}
		sel := steps(t, path[:len(path)-1])
		if slices.ContainsFunc(out, func(o Target) bool { return o.Fn == fn && o.Sel == sel }) {
			continue
		}
		if !ix.has(fn) {
			all = false
		}
		out = append(out, Target{Func: Func{Fn: fn}, Args: flow.AllArgs(call), Sel: sel})
	}
	return out, all
}

// Stored returns the functions of the package that the call c of an interface method may run by what the package stores
// where its receiver comes from: the methods of the types that are converted on the way. It has no limit, and is for
// calls that Targets says nothing of. There may be others. Calls of function values have none: those of which more than
// MaxTargets flow to one place are mostly callbacks, which only their contexts tell apart.
func (ix *Index) Stored(c ssa.CallInstruction) []Target {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	out, ok := ix.stored[c]
	if !ok {
		out = ix.findStored(c.Common())
		ix.stored[c] = out
	}
	return out
}

func (ix *Index) findStored(call *ssa.CallCommon) (out []Target) {
	if !call.IsInvoke() {
		return nil
	}
	recvs, _ := ix.types(call.Value, math.MaxInt)
	out, _ = ix.methods(call, recvs)
	return slices.DeleteFunc(out, func(t Target) bool { return !ix.has(t.Fn) })
}

// steps spells the embedded fields on the way to a promoted method.
func steps(t types.Type, path []int) string {
	sel := ""
	for _, i := range path {
		f := flow.Field(t, i)
		if f == nil {
			return "[*]"
		}
		sel += "." + f.Name()
		t = f.Type()
	}
	return sel
}

// implementers returns the types of the package that implement the interface of the call.
func (ix *Index) implementers(call *ssa.CallCommon) []*types.Named {
	key := invoked{call.Method, ifaceKey(call.Value.Type())}
	if out, ok := ix.impls[key]; ok {
		return out
	}
	var out []*types.Named
	if iface, ok := call.Value.Type().Underlying().(*types.Interface); ok {
		for _, n := range ix.having(call.Method.Name()) {
			if types.Implements(types.NewPointer(n), iface) {
				out = append(out, n)
			}
		}
	}
	ix.impls[key] = out
	return out
}

// converts notes that the package makes the interface to of the type from.
func (ix *Index) converts(from, to types.Type) {
	if n := kubeapi.Named(from); n != nil {
		note(ix.converted, n.Origin(), to)
	}
}

// turns notes that the package turns the interface from into another one.
func (ix *Index) turns(from, to types.Type) {
	if types.IsInterface(to) {
		note(ix.turned, ifaceKey(from), to)
	}
}

// ifaceKey is equal for interfaces that are one type.
func ifaceKey(t types.Type) string {
	t = types.Unalias(t)
	if i, ok := t.(*types.Interface); ok && i.Empty() {
		return "any" // which has two spellings
	}
	return types.TypeString(t, nil)
}

func note[K comparable](m map[K]map[string]bool, k K, t types.Type) {
	if m[k] == nil {
		m[k] = map[string]bool{}
	}
	m[k][ifaceKey(t)] = true
}

// becomes reports whether a value of type n may come to be an interface of type t: the package makes it one, or
// another one that it turns into t.
func (ix *Index) becomes(n *types.Named, t types.Type) bool {
	want, seen := ifaceKey(t), map[string]bool{}
	work := slices.Collect(maps.Keys(ix.converted[n]))
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == want {
			return true
		}
		if !seen[i] {
			seen[i] = true
			work = slices.AppendSeq(work, maps.Keys(ix.turned[i]))
		}
	}
	return false
}

// having returns the defined types of the package that may have a method of that name, in the order of their own names.
func (ix *Index) having(method string) []*types.Named {
	if ix.byMethod == nil {
		ix.indexMethods()
	}
	all := slices.Concat(ix.byMethod[method], ix.embedding)
	slices.Sort(all)
	var out []*types.Named
	for _, i := range slices.Compact(all) {
		out = append(out, ix.named[i])
	}
	return out
}

func (ix *Index) indexMethods() {
	ix.byMethod = map[string][]int{}
	scope := ix.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			continue
		}
		i := len(ix.named)
		ix.named = append(ix.named, n)
		for m := range n.Methods() {
			ix.byMethod[m.Name()] = append(ix.byMethod[m.Name()], i)
		}
		if st, ok := n.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Embedded() {
					ix.embedding = append(ix.embedding, i)
					break
				}
			}
		}
	}
}
