package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// writes finds what functions write to of what they are given by reference.
type writes struct {
	pkg  *program.Program
	fact func(*types.Func) *writeFact
	memo map[parameter]write
}

// write is a store, an update of a map or a call that changes an object.
type write struct {
	pos  token.Pos
	what string // what is written, below the object
	fn   *ssa.Function
}

// writeFact is the fact of a function that writes to what some of its parameters lead to, and which of those are objects whose
// finalizers it removes.
type writeFact struct{ Params, Finalizers []int }

func (*writeFact) AFact() {}

func (f *writeFact) String() string {
	s := fmt.Sprint("writes to parameters ", f.Params)
	if f.Finalizers != nil {
		s += fmt.Sprint(", removes finalizers of ", f.Finalizers)
	}
	return s
}

// exported is what packages that import this one have to know of fn, nil for nothing.
func (w *writes) exported(fn *ssa.Function, fin *finalizers) *writeFact {
	f := &writeFact{}
	for i := range fn.Params {
		if w.summary(parameter{fn, i}).pos.IsValid() {
			f.Params = append(f.Params, i)
		}
		if fin.removes(parameter{fn, i}) {
			f.Finalizers = append(f.Finalizers, i)
		}
	}
	if f.Params == nil && f.Finalizers == nil {
		return nil
	}
	return f
}

// summary is what a function writes to of what it is given as this parameter; its position is not valid where that is nothing.
func (w *writes) summary(p parameter) write {
	if p.i >= len(p.fn.Params) || !shared(p.fn.Params[p.i].Type()) {
		return write{}
	}
	if w.memo == nil {
		w.memo = map[parameter]write{}
		for _, component := range w.pkg.BottomUp(leads) {
			for w.more(component) { // until the functions that call each other write to nothing else
			}
		}
	}
	return w.memo[p]
}

// more looks at the parameters to which nothing is known to be written yet, and reports whether something is written to one.
func (w *writes) more(fns []*ssa.Function) bool {
	more := false
	for _, fn := range fns {
		for i, v := range fn.Params {
			p := parameter{fn, i}
			if !shared(v.Type()) || w.memo[p].pos.IsValid() {
				continue
			}
			if found := w.through(v); found.pos.IsValid() {
				w.memo[p] = found
				more = true
			}
		}
	}
	return more && len(fns) > 1
}

// shared reports whether a value of type t leads to memory that others have as well.
func shared(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// isSetter reports whether fn is a method of metav1.Object that writes to it.
func isSetter(fn *types.Func) bool {
	sig := fn.Type().(*types.Signature)
	return strings.HasPrefix(fn.Name(), "Set") && getters["G"+fn.Name()[1:]] != "" && sig.Recv() != nil && sig.Params().Len() == 1
}

// isGetter reports whether fn is a method of metav1.Object that gives out what the object has.
func isGetter(fn *types.Func) bool {
	return fn != nil && getters[fn.Name()] != "" && fn.Type().(*types.Signature).Recv() != nil
}

// knownWrites are functions of libraries that write to their argument of that index.
var knownWrites = map[kube.Symbol]int{
	{Pkg: kube.ControllerUtil, Name: "AddFinalizer"}:                         0,
	{Pkg: kube.ControllerUtil, Name: "RemoveFinalizer"}:                      0,
	{Pkg: kube.ControllerUtil, Name: "SetControllerReference"}:               1,
	{Pkg: kube.ControllerUtil, Name: "SetOwnerReference"}:                    1,
	{Pkg: kube.MetaV1, Name: "SetMetaDataAnnotation"}:                        0,
	{Pkg: kube.MetaV1, Name: "SetMetaDataLabel"}:                             0,
	{Pkg: "k8s.io/apimachinery/pkg/api/meta", Name: "SetStatusCondition"}:    0,
	{Pkg: "k8s.io/apimachinery/pkg/api/meta", Name: "RemoveStatusCondition"}: 0,
	{Pkg: "sort", Name: "Strings"}:                                           0,
	{Pkg: "sort", Name: "Slice"}:                                             0,
	{Pkg: "sort", Name: "SliceStable"}:                                       0,
	{Pkg: "slices", Name: "Sort"}:                                            0,
	{Pkg: "slices", Name: "SortFunc"}:                                        0,
	{Pkg: "slices", Name: "SortStableFunc"}:                                  0,
	{Pkg: "slices", Name: "Reverse"}:                                         0,
	{Pkg: "slices", Name: "Delete"}:                                          0,
	{Pkg: "slices", Name: "DeleteFunc"}:                                      0,
	{Pkg: "maps", Name: "Copy"}:                                              0,
	{Pkg: "maps", Name: "DeleteFunc"}:                                        0,
}

// through is the first write to what v leads to; its position is not valid where there is none.
func (w *writes) through(v ssa.Value) write { return w.follow(v, map[ssa.Value]bool{}) }

func (w *writes) follow(v ssa.Value, seen map[ssa.Value]bool) write {
	if seen[v] || v.Referrers() == nil {
		return write{}
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		var found write
		switch ref := ref.(type) {
		case *ssa.Store:
			switch {
			case ref.Addr == v && !localAddr(v):
				found = write{pos: ref.Pos(), what: w.target(v)}
			case ref.Val == v:
				if alloc, ok := ref.Addr.(*ssa.Alloc); ok && storedOnce(alloc) == v {
					found = w.variable(alloc, seen)
				}
			}
		case *ssa.MapUpdate:
			if ref.Map == v {
				found = write{pos: ref.Pos(), what: "an entry"}
			}
		case *ssa.FieldAddr:
			if ref.X == v {
				found = w.follow(ref, seen)
			}
		case *ssa.IndexAddr:
			if ref.X == v {
				found = w.follow(ref, seen)
			}
		case *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Lookup, *ssa.Slice:
			if x := ref.(ssa.Value); shared(x.Type()) || isStruct(x.Type()) {
				found = w.follow(x, seen)
			}
		case *ssa.TypeAssert:
			found = w.follow(ref, seen)
		case *ssa.UnOp:
			// A loaded struct is a copy, but its maps and slices are not.
			if ref.Op == token.MUL && (shared(ref.Type()) || isStruct(ref.Type())) {
				found = w.follow(ref, seen)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == v && !found.pos.IsValid() {
					found = w.follow(ref.Fn.(*ssa.Function).FreeVars[i], seen)
				}
			}
		case ssa.CallInstruction:
			found = w.call(ref, v)
			if call, ok := ref.(*ssa.Call); ok && !found.pos.IsValid() && shared(call.Type()) && isGetter(flow.Callee(&call.Call)) && flow.AllArgs(&call.Call)[0] == v {
				found = w.follow(call, seen)
			}
		}
		if found.pos.IsValid() {
			if found.fn == nil {
				found.fn = ref.Parent()
			}
			return found
		}
	}
	return write{}
}

// variable follows a local variable that holds, by reference or as a struct, what is shared.
func (w *writes) variable(alloc *ssa.Alloc, seen map[ssa.Value]bool) write {
	isCopy := isStruct(alloc.Type().Underlying().(*types.Pointer).Elem())
	var visit func(addr ssa.Value) write
	visit = func(addr ssa.Value) write {
		if addr.Referrers() == nil {
			return write{}
		}
		for _, r := range *addr.Referrers() {
			var found write
			switch r := r.(type) {
			case *ssa.UnOp:
				if r.Op == token.MUL && (shared(r.Type()) || isStruct(r.Type())) && !overwritten(addr) {
					found = w.follow(r, seen)
				}
			case *ssa.FieldAddr:
				if isCopy {
					found = visit(r)
				}
			case *ssa.MakeClosure:
				for i, b := range r.Bindings {
					if b == addr {
						found = visit(r.Fn.(*ssa.Function).FreeVars[i])
					}
				}
			}
			if found.pos.IsValid() {
				if found.fn == nil {
					found.fn = r.Parent()
				}
				return found
			}
		}
		return write{}
	}
	return visit(alloc)
}

// overwritten reports whether something is stored to the field at addr of a local copy: what it leads to is then not
// known to be shared any more.
func overwritten(addr ssa.Value) bool {
	var fields []int
	root := addr
	for {
		fa, ok := root.(*ssa.FieldAddr)
		if !ok {
			break
		}
		fields = append([]int{fa.Field}, fields...)
		root = fa.X
	}
	return len(fields) > 0 && storedAt(root, fields)
}

// storedAt reports whether something is stored to the field of root that fields lead to, or to a struct around it.
func storedAt(root ssa.Value, fields []int) bool {
	for _, r := range *root.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.X != root || fa.Field != fields[0] {
			continue
		}
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(fa) {
				return true
			}
		}
		if len(fields) > 1 && storedAt(fa, fields[1:]) {
			return true
		}
	}
	return false
}

// isStruct reports whether a value of type t may hold what leads to shared memory.
func isStruct(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Tuple, *types.Array:
		return true
	}
	return false
}

// localAddr reports whether addr is a local variable, not what is shared.
func localAddr(addr ssa.Value) bool {
	_, ok := addr.(*ssa.Alloc)
	return ok
}

// target names the field at addr.
func (w *writes) target(addr ssa.Value) string {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		if f := flow.Field(fa.X.Type(), fa.Field); f != nil {
			return f.Name()
		}
	}
	return "it"
}

// call is what a call does to v, one of its arguments.
func (w *writes) call(call ssa.CallInstruction, v ssa.Value) write {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch {
		case (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") && len(common.Args) > 0 && common.Args[0] == v:
			return write{pos: call.Pos(), what: "an entry"}
		case b.Name() == "append" && len(common.Args) > 0 && common.Args[0] == v:
			// append(s[:i], …) overwrites what s has after i.
			if s, ok := v.(*ssa.Slice); ok && s.High != nil && s.Max == nil {
				return write{pos: call.Pos(), what: "the elements of a slice"}
			}
		}
		return write{}
	}
	callee := flow.Callee(common)
	if callee == nil || isCopy(callee) || callee.Name() == "DeepCopyInto" {
		return write{}
	}
	args := flow.AllArgs(common)
	at := slices.Index(args, v)
	if at < 0 {
		return write{}
	}
	if fn := w.pkg.Callee(common); fn != nil {
		if found := w.summary(parameter{fn, at}); found.pos.IsValid() {
			return write{pos: call.Pos(), what: found.what, fn: call.Parent()}
		}
		return write{}
	}
	if at == 0 && isSetter(callee) {
		return write{pos: call.Pos(), what: strings.TrimPrefix(callee.Name(), "Set")}
	}
	if i, ok := knownWrites[kube.SymbolOf(callee)]; ok && i == at {
		return write{pos: call.Pos(), what: "what " + callee.Name() + " sets"}
	}
	if f := w.fact(callee); f != nil && slices.Contains(f.Params, at) {
		return write{pos: call.Pos(), what: "what " + callee.Name() + " sets"}
	}
	return write{}
}
