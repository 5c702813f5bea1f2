package sharing

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A Reader is somebody who sees what a cache keeps of a kind.
type Reader struct {
	Kind string // AnyKind where it is not known
	By   string // the handlers of an informer; empty for whoever else is given the objects
	// Asks: he asks a cache for them.
	Asks bool
	// Alone: nobody else sees the objects that he is given, but who asks.
	Alone bool
	// Handed: the handlers hand the objects on.
	Handed bool
}

// Sees reports whether r sees what only hears of, and is somebody else. Those to whom the handlers of only hand it on are not, where only says that they do.
func (r Reader) Sees(only Reader) bool {
	return (r.Kind == only.Kind || r.Kind == AnyKind) && (r.Asks || !only.Alone && (r.By != only.By || r.Handed && !only.Handed))
}

// AnyKind is the kind of those that may see objects of each kind.
const AnyKind = "*"

// Readers are those of the package: who asks caches, and who hears of the events of informers.
func (a *Sharing) Readers() (out []Reader) {
	add := func(r Reader) {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, fn := range a.p.All() {
		if isOfLister(flow.Decl(fn)) {
			continue // those who call it are the readers
		}
		flow.Calls(fn, func(in ssa.CallInstruction) {
			if call, ok := in.(*ssa.Call); ok {
				for _, kind := range a.asked(call) {
					add(Reader{Kind: kind, Asks: true})
				}
			}
		})
	}
	for _, r := range a.given {
		if r.Alone {
			continue // what others hear of is in another store
		}
		if p, ok := r.Value.(*ssa.Parameter); ok {
			for _, reader := range a.hear(a.hearers[p], p).readers() {
				add(reader)
			}
		} else {
			add(Reader{Kind: kindOf(r.Value.Type())})
		}
	}
	return out
}

// Hearer is the handler that r is the object of, which knows its kind; nil for other reads, and where that is not so.
func (a *Sharing) Hearer(r Read) *Reader {
	p, ok := r.Value.(*ssa.Parameter)
	if !ok {
		return nil
	}
	if r.Alone {
		if kinds := a.hear(nil, p).kinds; len(kinds) == 1 {
			return &Reader{Kind: kinds[0], Alone: true}
		}
	}
	if a.hearers[p] == nil {
		return nil
	}
	u := a.hear(a.hearers[p], p)
	if len(u.kinds) != 1 || u.by == "" {
		return nil
	}
	return &Reader{Kind: u.kinds[0], By: u.by, Handed: u.handed}
}

// isOfLister reports whether fn is a method of a lister.
func isOfLister(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && kube.IsLister(recv.Type())
}

// asked are the kinds of the objects that call gets out of a cache, or may get there; none for other calls.
func (a *Sharing) asked(call *ssa.Call) []string {
	if r, ok := kube.CacheReadOf(&call.Call); ok {
		t := call.Call.Signature().Results().At(0).Type()
		if list, ok := t.Underlying().(*types.Slice); ok {
			return []string{kindOf(list.Elem())}
		}
		if !r.Untyped && kindOf(t) != AnyKind {
			return []string{kindOf(t)}
		}
		u := &hearing{a: a, seen: map[ssa.Value]bool{}}
		if v := flow.ResultAt(call, 0); v != nil {
			u.used(v, true)
		}
		if (u.handed || !r.Untyped) && len(u.kinds) == 0 {
			return []string{AnyKind}
		}
		return u.kinds
	}
	r, ok := kube.RequestOf(&call.Call)
	if !ok || !r.Cached {
		return nil
	}
	if r.Verb == kube.VerbList {
		args := flow.Args(&call.Call)
		list := flow.Unwrap(args[min(1, len(args)-1)]).Type()
		return []string{kindOf(cmp.Or(kube.ItemOf(list), list))}
	}
	return []string{kindOf(r.Asked(&call.Call))}
}

// kindOf is the name of the type of objects t, AnyKind for an interface of them.
func kindOf(t types.Type) string {
	if n := kube.Named(t); n != nil && !types.IsInterface(n) {
		return link.TypeName(n)
	}
	return AnyKind
}

// A hearing is what becomes of an object that a handler is given.
type hearing struct {
	a     *Sharing
	seen  map[ssa.Value]bool
	by    string   // the handler; empty where it is none of a struct or a type
	kinds []string // that the object is taken to be of
	// handed: others are given it, who may look at it later.
	handed bool
}

// hear is what becomes of the object p, which h is given.
func (a *Sharing) hear(h *controllers.Handler, p *ssa.Parameter) *hearing {
	u := &hearing{a: a, seen: map[ssa.Value]bool{}}
	if h != nil {
		u.by = string(link.AtOf(a.pass, h.At))
	}
	u.used(p, true)
	return u
}

// readers are the handler, and those that it hands the object on to. A handler that does not ask of what type the object is cannot look at more than
// all objects have.
func (u *hearing) readers() (out []Reader) {
	for _, kind := range u.kinds {
		out = append(out, Reader{Kind: kind, By: u.by})
	}
	if u.handed {
		for _, kind := range u.kinds {
			out = append(out, Reader{Kind: kind, By: u.by, Handed: true})
		}
		if len(u.kinds) == 0 {
			out = append(out, Reader{Kind: AnyKind, By: u.by, Handed: true})
		}
	}
	return out
}

// used goes through what is done with v, which is the object, or leads to it or to what it refers to; whole where it is no part of the object.
func (u *hearing) used(v ssa.Value, whole bool) {
	_, through := v.(*ssa.Range)
	if u.seen[v] || !through && !holds(v.Type()) || v.Referrers() == nil {
		return
	}
	u.seen[v] = true
	if whole && kube.IsCached(v.Type()) && !types.IsInterface(v.Type()) && !slices.Contains(u.kinds, kindOf(v.Type())) {
		u.kinds = append(u.kinds, kindOf(v.Type()))
	}
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr, *ssa.Field:
			u.used(in.(ssa.Value), false)
		case *ssa.TypeAssert, *ssa.Extract, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.Phi, *ssa.Slice,
			*ssa.UnOp, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Range, *ssa.Next:
			u.used(in.(ssa.Value), whole)
		case *ssa.Store:
			if in.Val == v {
				u.put(in.Addr, whole)
			}
		case *ssa.MapUpdate:
			if in.Map != v {
				u.put(in.Map, whole)
			}
		case ssa.CallInstruction:
			u.given(in, v, whole)
		default:
			u.handed = true
		}
	}
}

// put goes through what becomes of what is put at addr: into a variable or a slice of arguments, where others find it; or back into the object.
func (u *hearing) put(addr ssa.Value, whole bool) {
	root, _ := place(addr)
	if local, ok := root.(*ssa.Alloc); ok {
		u.used(local, whole)
		return
	}
	for load, ok := root.(*ssa.UnOp); ok; load, ok = root.(*ssa.UnOp) {
		root, _ = place(load.X)
	}
	u.handed = u.handed || !u.seen[root]
}

// given goes through what in does with v, one of its arguments.
func (u *hearing) given(in ssa.CallInstruction, v ssa.Value, whole bool) {
	call := in.Common()
	callee := flow.Callee(call)
	made, now := in.(*ssa.Call)
	if !now {
		u.handed = true
		return
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		u.moved(made, b, v, whole)
		return
	}
	if fns, all := u.a.p.Callees(in); all {
		for _, fn := range fns {
			for i, arg := range flow.AllArgs(call) {
				if arg == v && i < len(fn.Params) {
					u.used(fn.Params[i], whole)
				}
			}
		}
		return
	}
	if callee != nil && callee.Pkg() != nil && callee.Signature().Recv() == nil && kube.IsStandard(callee.Pkg().Path()) {
		u.used(made, whole) // only methods keep what they are given
		return
	}
	_, asks := kube.RequestOf(call)
	reads := callee != nil && callee.Pkg() != nil && kube.IsLibrary(callee.Pkg().Path()) && (callee.Signature().Recv() == nil || flow.IsBool(made.Type()))
	u.handed = u.handed || !asks && !reads && !kube.Logs(callee) && flow.Recv(call) != v
}

// moved goes through what the builtin b, which call calls, does with v: append gives the elements of both slices, and copy puts those of one into the other.
func (u *hearing) moved(call *ssa.Call, b *ssa.Builtin, v ssa.Value, whole bool) {
	elem := elemOf(v.Type())
	switch content := elem != nil && holds(elem); {
	case b.Name() == "append" && (call.Call.Args[0] == v || content):
		u.used(call, whole)
	case b.Name() == "copy" && call.Call.Args[0] != v && content:
		u.put(call.Call.Args[0], whole)
	}
}
