// Package kubeapi knows the Kubernetes libraries: what they are called, what their functions do, and what a package sets
// up with them. Names of the standard library are here if several rules ask for them.
//
// A symbol is matched by package path, receiver type and name through one function, [Symbol.Is], never by a printed
// type or a bare name, so that vendoring, aliases, generics and embedding do not change what is found.
package kubeapi

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Symbol names a function (Recv empty) or a method. Recv is the name of the receiver's defined type, concrete or
// interface, without pointer and type arguments. Name "*" stands for every method of Recv.
type Symbol struct{ Pkg, Recv, Name string }

// Is reports whether fn is s. A nil fn is nothing.
func (s Symbol) Is(fn *types.Func) bool {
	if fn == nil || s.Name != "*" && fn.Name() != s.Name || fn.Pkg() == nil || !SamePackage(fn.Pkg().Path(), s.Pkg) {
		return false
	}
	return RecvName(fn) == s.Recv
}

// SymbolOf returns the Symbol of fn, with the package path as [Path] has it.
func SymbolOf(fn *types.Func) Symbol {
	if fn == nil || fn.Pkg() == nil {
		return Symbol{}
	}
	return Symbol{Path(fn.Pkg().Path()), RecvName(fn), fn.Name()}
}

// Symbols is a set of functions and methods.
type Symbols map[Symbol]bool

// symbols returns the functions and methods of pkg with these names, as "Func Type.Method".
func symbols(pkg, names string) Symbols {
	set := Symbols{}
	for _, name := range strings.Fields(names) {
		recv, method, ok := strings.Cut(name, ".")
		if !ok {
			recv, method = "", name
		}
		set[Symbol{pkg, recv, method}] = true
	}
	return set
}

// union returns the set of the members of all sets.
func union(sets ...Symbols) Symbols {
	all := Symbols{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// Has reports whether fn is one of the set.
func (set Symbols) Has(fn *types.Func) bool { return set[SymbolOf(fn)] }

// Called reports whether call calls one of the set, if by a variable of controller-runtime that stands for it.
func (set Symbols) Called(call *ssa.CallCommon) bool { return set[Called(call)] }

// String is for messages: pkg.Func or pkg.Type.Method, with the last element of the package path.
func (s Symbol) String() string {
	base := s.Pkg[strings.LastIndex(s.Pkg, "/")+1:]
	if s.Recv != "" {
		return base + "." + s.Recv + "." + s.Name
	}
	return base + "." + s.Name
}

// Path returns a package path without what vendoring put in front of it.
func Path(p string) string {
	if i := strings.LastIndex(p, "/vendor/"); i >= 0 {
		p = p[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(p, "vendor/")
}

// SamePackage reports whether the import path p is the package named want, possibly vendored.
func SamePackage(p, want string) bool {
	return p == want || strings.HasSuffix(p, want) && Path(p) == want
}

// Under reports whether the package at path p is the one at root, or lies below it.
func Under(p, root string) bool {
	p = Path(p)
	return p == root || strings.HasPrefix(p, root+"/")
}

// RecvName returns the name of the type that fn is a method of, "" for a function. For an interface method it is the
// name of the interface that declares it.
func RecvName(fn *types.Func) string {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return ""
	}
	if n := Named(sig.Recv().Type()); n != nil {
		return n.Obj().Name()
	}
	return ""
}

// Named returns the defined type behind t, through aliases and one pointer; nil if there is none. Instances of a
// generic type give its origin.
func Named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin()
	}
	return nil
}

// HasMethod reports whether the method set of t has an exported method of that name.
func HasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// IsType reports whether t, or what it points to, is the defined type pkg.name.
func IsType(t types.Type, pkg, name string) bool {
	return NameIn(t, pkg) == name
}

// NameIn returns the name of the defined type that t is, or points to, if pkg declares it; "" otherwise.
func NameIn(t types.Type, pkg string) string {
	if n := Named(t); n != nil && n.Obj().Pkg() != nil && SamePackage(n.Obj().Pkg().Path(), pkg) {
		return n.Obj().Name()
	}
	return ""
}

// IsContext reports whether t is context.Context.
func IsContext(t types.Type) bool { return IsType(t, "context", "Context") }

// IsCancel reports whether t is the type of a function that cancels a context.
func IsCancel(t types.Type) bool {
	return IsType(t, "context", "CancelFunc") || IsType(t, "context", "CancelCauseFunc")
}

// Imports reports whether pkg or one of its direct imports has a path that match accepts. It is the cheap test that
// comes before any work.
func Imports(pkg *types.Package, match func(path string) bool) bool {
	if match(Path(pkg.Path())) {
		return true
	}
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return match(Path(p.Path())) })
}

// EndAsked returns the context that v asks whether it has ended, by its method Err; nil for other values.
func EndAsked(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok || !call.Call.IsInvoke() || call.Call.Method.Name() != "Err" || !IsContext(call.Call.Value.Type()) {
		return nil
	}
	return call.Call.Value
}
