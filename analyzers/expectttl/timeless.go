package expectttl

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// declaredStores returns the types of pkg that are expectation stores.
func declaredStores(pkg *types.Package) []*types.Named {
	var out []*types.Named
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if named, ok := tn.Type().(*types.Named); ok && isStore(named) {
				out = append(out, named)
			}
		}
	}
	return out
}

// timelessRecv reports whether the store that q asks surely has no timeout of its own.
func (g *callGraph) timelessRecv(q query) bool {
	named := kubeapi.Named(q.store.typ)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	if named.Obj().Pkg() == g.pkg.Pkg {
		return g.timeless(named)
	}
	k := known(g.pass, named.Obj().Pkg())
	return k != nil && slices.Contains(k.Timeless, named.Obj().Name()) ||
		!types.IsInterface(named) && !mayHoldTime(named, map[types.Type]bool{})
}

// timeless reports whether the store type named, of this package, keeps no time. An interface is what the types of this
// package make of it.
func (g *callGraph) timeless(named *types.Named) bool {
	if !types.IsInterface(named) {
		return !mayHoldTime(named, map[types.Type]bool{}) && g.methodsKeepNoTime(named)
	}
	if named.TypeParams().Len() > 0 {
		return false
	}
	implemented := false
	scope := g.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) {
			continue
		}
		impl, ok := tn.Type().(*types.Named)
		if !ok || impl.TypeParams().Len() > 0 || !types.Implements(types.NewPointer(impl), named.Underlying().(*types.Interface)) {
			continue
		}
		if !isFake(name) {
			if !g.timeless(impl) {
				return false
			}
			implemented = true
		}
	}
	return implemented
}

// isFake goes by the name: a store for tests keeps no time, and no expectation either.
func isFake(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "fake") || strings.Contains(name, "mock") || strings.Contains(name, "noop")
}

// mayHoldTime reports whether a value of type t can have to do with time: it holds one, or something unknown.
func mayHoldTime(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if _, ok := t.(*types.TypeParam); ok || seen[t] { // a store cannot look into what it is generic over
		return false
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		switch path := n.Obj().Pkg().Path(); {
		case path == "sync" && n.Obj().Name() != "Map" && n.Obj().Name() != "Pool", path == "sync/atomic" && n.Obj().Name() != "Value",
			kubeapi.IsLogger(n):
			return false
		case path == "time":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Pointer:
		return mayHoldTime(u.Elem(), seen)
	case *types.Slice:
		return mayHoldTime(u.Elem(), seen)
	case *types.Array:
		return mayHoldTime(u.Elem(), seen)
	case *types.Map:
		return mayHoldTime(u.Key(), seen) || mayHoldTime(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); namesTime(f) || mayHoldTime(f.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}

// namesTime reports whether f, an integer perhaps, is a point in time or a timeout by its name.
func namesTime(f *types.Var) bool {
	return words.Has(f.Name(), "time", "times", "timeout", "timeouts", "timestamp", "timestamps", "stamp", "since", "deadline", "deadlines",
		"expires", "expire", "expired", "expiry", "expiration", "ttl", "clock")
}

// methodsKeepNoTime reports whether no method of named, of this package, has to do with time, or calls what might.
func (g *callGraph) methodsKeepNoTime(named *types.Named) bool {
	for _, fn := range g.pkg.Funcs {
		decl := flow.Decl(fn)
		if decl.Signature.Recv() == nil || kubeapi.Named(decl.Signature.Recv().Type()) != named {
			continue
		}
		for in := range flow.Instrs(fn) {
			if c, ok := in.(ssa.CallInstruction); ok && !g.isPlainCall(c.Common()) {
				return false // a clock, a cache with expiry, or unknown
			}
			if v, ok := in.(ssa.Value); ok && (kubeapi.IsType(v.Type(), "time", "Time") || kubeapi.IsType(v.Type(), "time", "Duration")) {
				return false
			}
		}
	}
	return true
}

// isPlainCall reports whether c runs code that cannot bring a timeout along: of this package, whose methods are looked
// at where they are the store's, or of one that is known.
func (g *callGraph) isPlainCall(c *ssa.CallCommon) bool {
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return true
	}
	fn := flow.Callee(c)
	if fn == nil || fn.Pkg() == nil {
		return flow.StaticCallee(c) != nil // a function literal
	}
	if fn.Pkg() == g.pkg.Pkg {
		r := fn.Signature().Results()
		for i := range r.Len() {
			if kubeapi.IsType(r.At(i).Type(), "time", "Time") || kubeapi.IsType(r.At(i).Type(), "time", "Duration") {
				return false
			}
		}
		return true
	}
	return kubeapi.KeepsNoTime(fn.Pkg().Path())
}
