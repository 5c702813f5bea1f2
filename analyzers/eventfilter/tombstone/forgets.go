package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// forgets reports whether fn does nothing with its parameter obj, an object, except deleting entries under its UID
// from maps, at least one. A missed deletion then only leaves an entry that is never read again: a later object with
// the same name has another UID.
func (t *tombstones) forgets(fn *ssa.Function, obj *ssa.Parameter) bool {
	if obj == nil {
		return false
	}
	f := &forgetting{t: t, of: map[ssa.Value]bool{obj: true}}
	return f.only(fn) && f.some
}

// forgetting is the state of forgets.
type forgetting struct {
	t    *tombstones
	of   map[ssa.Value]bool // the object, and the parameters that it is passed to
	some bool               // an entry is deleted from a map
	seen []*ssa.Function
}

// only reports whether fn does nothing but delete such entries.
func (f *forgetting) only(fn *ssa.Function) bool {
	if slices.Contains(f.seen, fn) {
		return true
	}
	f.seen = append(f.seen, fn)
	return !flow.Any(flow.Instrs(fn), panicsOrMakes) &&
		onlyCalls(fn, func(c ssa.CallInstruction) bool { return f.call(c.Common()) })
}

// call reports whether call deletes an entry by the UID, locks, logs, or computes a string or UID.
func (f *forgetting) call(call *ssa.CallCommon) bool {
	if b, builtin := call.Value.(*ssa.Builtin); builtin {
		if b.Name() == "delete" {
			return f.takes(call.Args[0], call.Args[1])
		}
		return b.Name() != "close" && b.Name() != "clear"
	}
	if callee := f.t.pkg.Callee(call); callee != nil {
		args := flow.AllArgs(call)
		for i, p := range callee.Params {
			if i < len(args) && f.of[assertedFrom(args[i])] {
				f.of[p] = true
			}
		}
		return f.only(callee)
	}
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if known := f.t.imported(fn); known != nil && known.Forgets > 0 {
		args := flow.AllArgs(call)
		f.some = f.some || known.Forgets <= len(args) && f.of[assertedFrom(args[known.Forgets-1])]
		return f.some
	}
	switch {
	case kubeapi.Logs(fn), kubeapi.GivesLogger(fn):
		return true
	case fn.Pkg().Path() == "sync":
		m := flow.Recv(call)
		if m == nil || !kubeapi.IsType(m.Type(), "sync", "Map") {
			return true
		}
		return fn.Name() == "Delete" && f.takes(m, flow.Args(call)[0])
	}
	res := call.Signature().Results()
	return res.Len() == 1 && (flow.IsString(res.At(0).Type()) || kubeapi.UID.Is(res.At(0).Type()))
}

// takes reports whether key is the UID of the object and m a map in an unexported field that the package uses only by
// keys; if so, it notes the deletion.
func (f *forgetting) takes(m, key ssa.Value) bool {
	fa, _ := flow.Resolve(m).(*ssa.FieldAddr)
	if loaded := flow.LoadedFrom(m); loaded != nil {
		fa = loaded
	}
	if fa == nil || !f.isOwnUID(key) {
		return false
	}
	field := flow.Field(fa.X.Type(), fa.Field)
	if field == nil || field.Exported() || !f.t.onlyByKey(field) {
		return false
	}
	f.some = true
	return true
}

// isOwnUID reports whether key is the UID of the object itself.
func (f *forgetting) isOwnUID(key ssa.Value) bool {
	key = flow.Unwrap(flow.Resolve(key))
	for {
		conv, ok := key.(*ssa.Convert)
		if !ok {
			break
		}
		key = flow.Resolve(conv.X)
	}
	if !kubeapi.UID.Is(key.Type()) {
		return false
	}
	switch x := key.(type) {
	case *ssa.Call:
		return kubeapi.GetterOf(flow.Callee(&x.Call)) != "" && f.of[assertedFrom(kubeapi.MetadataOwner(flow.Recv(&x.Call)))]
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && kubeapi.MetadataField(fa) == kubeapi.MetaUID && f.of[assertedFrom(kubeapi.MetadataOwner(fa.X))]
	}
	return false
}

// assertedFrom follows v back through assertions and conversions.
func assertedFrom(v ssa.Value) ssa.Value {
	for {
		v = flow.Unwrap(flow.Resolve(v))
		switch x := v.(type) {
		case *ssa.Extract:
			v = x.Tuple
			if x.Index > 0 {
				return x
			}
		case *ssa.TypeAssert:
			v = x.X
		default:
			return v
		}
	}
}

// onlyByKey reports whether the package uses the map in field only by keys, and never ranges over it or passes it on.
func (t *tombstones) onlyByKey(field *types.Var) bool {
	return !flow.Any(flow.InstrsOf[*ssa.FieldAddr](t.pkg.All()...), func(fa *ssa.FieldAddr) bool {
		return flow.Field(fa.X.Type(), fa.Field) == field && !usedByKey(fa)
	})
}

// usedByKey reports whether v, a map or the address of one, is used only by keys.
func usedByKey(v ssa.Value) bool {
	for in, v := range values.Uses(v) {
		switch in := in.(type) {
		case *ssa.Lookup, *ssa.MapUpdate:
		case ssa.CallInstruction:
			if s := kubeapi.Called(in.Common()); flow.Builtin(in.Common()) != "delete" &&
				(s.Pkg != "sync" || s.Name == "Range" || flow.Recv(in.Common()) != v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// forgetsOf returns the number, from 1, of the parameter that fn forgets, see forgets; 0 if there is none.
func (t *tombstones) forgetsOf(fn *ssa.Function) int {
	if fn.Signature.Results().Len() > 0 {
		return 0
	}
	for i, p := range fn.Params {
		if kubeapi.IsObject(p.Type()) && t.forgets(fn, p) {
			return i + 1
		}
	}
	return 0
}

// forgettingMethods returns facts for the methods of the package's interfaces whose implementations in the package,
// at least one, all forget the same parameter.
func (t *tombstones) forgettingMethods() map[*types.Func]*Fate {
	out := map[*types.Func]*Fate{}
	for _, fn := range t.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || fn.Signature.Recv() == nil || t.fateOf(fn).Forgets == 0 {
			continue
		}
		for _, name := range t.pass.Pkg.Scope().Names() {
			of, ok := t.pass.Pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			iface, ok := of.Type().Underlying().(*types.Interface)
			if !ok || !types.Implements(fn.Signature.Recv().Type(), iface) {
				continue
			}
			method, _, _ := types.LookupFieldOrMethod(of.Type(), false, t.pass.Pkg, obj.Name())
			if m, ok := method.(*types.Func); ok && m.Pkg() == t.pass.Pkg &&
				t.allForget(iface, obj.Name(), t.fateOf(fn).Forgets) {
				out[m] = &Fate{Forgets: t.fateOf(fn).Forgets}
			}
		}
	}
	return out
}

// allForget reports whether all methods of that name, of types of the package that implement iface, forget the
// parameter with the number param.
func (t *tombstones) allForget(iface *types.Interface, name string, param int) bool {
	return !slices.ContainsFunc(t.pkg.Funcs, func(fn *ssa.Function) bool {
		recv := fn.Signature.Recv()
		return recv != nil && fn.Parent() == nil && fn.Name() == name && types.Implements(recv.Type(), iface) &&
			t.fateOf(fn).Forgets != param
	})
}
