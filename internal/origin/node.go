package origin

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A key is what a node stands for: an ssa.Value, a struct field (*types.Var), or a result of a function.
type key any

type resultKey struct {
	fn *ssa.Function
	i  int
}

// node is a place or value whose contents are followed. A pointer, slice, array or map is one node with what it holds:
// queries tell the two apart by type.
type node struct {
	id      int     // in the order in which they are made
	visit   int     // the last walk that came here
	up      *node   // union-find parent, nil for a representative
	preds   []*node // where its function values and dynamic types come from
	elem    *node   // what is sent through it, for a channel
	funcs   []Func
	types   []types.Type
	makes   []*ssa.MakeChan
	unknown bool   // something that is not known may come in
	open    bool   // it is an exported field: code that is not known can set it
	escape  Escape // code that is not known may have what is here
	stray   bool   // some of that code is not known by a name
	labels  []label
}

// A label is what other packages call a node: a field, a package variable, a parameter or a result of a function.
type label struct {
	obj  types.Object
	in   *types.Named // the type that has the field
	kind rune         // '.' for a field, 0 for a variable, '#' for a parameter without the receiver, '$' for a result
	i    int
}

func (l label) String() string {
	switch l.kind {
	case '.':
		return kubeapi.Path(l.in.Obj().Pkg().Path()) + "." + l.in.Obj().Name() + "." + l.obj.Name()
	case 0:
		return kubeapi.Path(l.obj.Pkg().Path()) + "." + l.obj.Name()
	}
	return l.obj.(*types.Func).FullName() + string(l.kind) + strconv.Itoa(l.i)
}

// call lets n be known by l, once.
func (n *node) call(l label) {
	if n = n.find(); !slices.Contains(n.labels, l) {
		n.labels = append(n.labels, l)
	}
}

func (n *node) find() *node {
	for n.up != nil {
		if n.up.up != nil {
			n.up = n.up.up
		}
		n = n.up
	}
	return n
}

func (n *node) element() *node {
	n = n.find()
	if n.elem == nil {
		n.elem = &node{}
	}
	return n.elem.find()
}

// union makes a and b one node. What can be sent through them becomes one as well.
func union(a, b *node) {
	for a, b = a.find(), b.find(); a != b; a, b = a.find(), b.find() {
		b.up = a
		a.preds = append(a.preds, b.preds...)
		a.funcs = append(a.funcs, b.funcs...)
		a.types = append(a.types, b.types...)
		a.makes = append(a.makes, b.makes...)
		a.unknown = a.unknown || b.unknown
		a.open = a.open || b.open
		a.escape |= b.escape
		a.stray = a.stray || b.stray
		a.labels = append(a.labels, b.labels...)
		ea, eb := a.elem, b.elem
		if ea == nil {
			a.elem = eb
			return
		}
		if eb == nil {
			return
		}
		a, b = ea, eb
	}
}

// spread says that what is in src can reach dst. Channels and the objects of package sync are shared by all code that
// has them, so their nodes become one.
func spread(dst, src *node, shared bool) {
	if dst == nil || src == nil {
		return
	}
	if shared {
		union(dst, src)
		return
	}
	dst, src = dst.find(), src.find()
	if dst != src {
		dst.preds = append(dst.preds, src)
	}
}

// tracked reports whether values of type t are followed: functions, interfaces, channels, pointers to objects of
// package sync, and pointers, slices, arrays and maps of these. Structs are followed field by field. Interfaces that
// are everywhere and never hold a callback or a lock, as errors and contexts, would cost time only.
func tracked(t types.Type) bool {
	return leads(t, func(t types.Type) bool {
		switch types.Unalias(t).Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Interface:
			return !flow.IsError(t) && !kubeapi.IsContext(t)
		}
		return isShared(t)
	}, nil)
}

// shared reports whether t is a channel or an object of package sync, possibly through pointers and containers.
func shared(t types.Type) bool { return leads(t, isShared, nil) }

// leads reports whether is holds for t, or for what pointers and containers of type t lead to. Within are the defined
// types that t is a part of: only these can come again.
func leads(t types.Type, is func(types.Type) bool, within []types.Type) bool {
	t = types.Unalias(t)
	if is(t) {
		return true
	}
	if _, ok := t.(*types.Named); ok {
		if slices.Contains(within, t) {
			return false
		}
		within = append(within, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return leads(u.Elem(), is, within) || leads(u.Key(), is, within)
	case *types.Chan:
		return false
	case interface{ Elem() types.Type }: // a pointer, a slice, an array
		return leads(u.Elem(), is, within)
	}
	return false
}

func isShared(t types.Type) bool {
	_, ch := t.Underlying().(*types.Chan)
	return ch || syncObject(t)
}

const semaphores = "golang.org/x/sync/semaphore"

func syncObject(t types.Type) bool {
	for _, name := range []string{"WaitGroup", "Cond", "Mutex", "RWMutex"} {
		if kubeapi.IsType(t, "sync", name) {
			return true
		}
	}
	return kubeapi.IsType(t, "golang.org/x/sync/errgroup", "Group") || kubeapi.IsType(t, semaphores, "Weighted")
}
