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
	memo map[place]*written
}

// A place is what a function is given: as a parameter, or in a field of one that is a struct.
type place struct {
	parameter
	field string // empty for the parameter itself
}

// written is what a function does to a place.
type written struct {
	write
	calls []string // the methods of an interface that it calls there: what they do is for who passes the value to say
}

// write is a store, an update of a map or a call that changes an object.
type write struct {
	pos  token.Pos
	call token.Pos // the call that leads to it from where the value was, where it is in another function
	what string    // what is written, below the object
	fn   *ssa.Function
}

// writeFact is the fact of a function that writes to what some of its parameters lead to, which of those are objects whose
// finalizers it removes, what it writes to by fields of its parameters, and the methods that it calls of what it is given as an
// interface.
type writeFact struct {
	Params, Finalizers []int
	Fields             []writeField
	Calls              []writeCall
}

// A writeField is a field of a parameter.
type writeField struct {
	Param int
	Field string
}

// A writeCall is a method that is called of a parameter, or of a field of one.
type writeCall struct {
	Of     writeField
	Method string
}

func (*writeFact) AFact() {}

func (f *writeFact) String() string {
	var parts []string
	if f.Params != nil {
		parts = append(parts, fmt.Sprint("writes to parameters ", f.Params))
	}
	for _, w := range f.Fields {
		parts = append(parts, fmt.Sprintf("writes to p%d.%s", w.Param, w.Field))
	}
	if f.Finalizers != nil {
		parts = append(parts, fmt.Sprint("removes finalizers of ", f.Finalizers))
	}
	for _, c := range f.Calls {
		of := fmt.Sprintf("p%d", c.Of.Param)
		if c.Of.Field != "" {
			of += "." + c.Of.Field
		}
		parts = append(parts, fmt.Sprintf("calls %s of %s", c.Method, of))
	}
	return strings.Join(parts, ", ")
}

// exported is what packages that import this one have to know of fn, nil for nothing.
func (w *writes) exported(fn *ssa.Function, fin *finalizers) *writeFact {
	f := &writeFact{}
	for i, p := range fn.Params {
		for _, pl := range places(fn, i) {
			s := w.summary(pl)
			of := writeField{i, pl.field}
			switch {
			case s.pos.IsValid() && pl.field == "":
				f.Params = append(f.Params, i)
			case s.pos.IsValid():
				f.Fields = append(f.Fields, of)
			default:
				for _, m := range s.calls {
					f.Calls = append(f.Calls, writeCall{of, m})
				}
			}
		}
		if kube.IsObject(p.Type()) && fin.removes(parameter{fn, i}) {
			f.Finalizers = append(f.Finalizers, i)
		}
	}
	if f.Params == nil && f.Finalizers == nil && f.Fields == nil && f.Calls == nil {
		return nil
	}
	return f
}

// places are what fn is given as its parameter i.
func places(fn *ssa.Function, i int) []place {
	p := parameter{fn, i}
	if i >= len(fn.Params) {
		return nil
	}
	t := fn.Params[i].Type()
	if shared(t) {
		return []place{{p, ""}}
	}
	var out []place
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if shared(f.Type()) {
				out = append(out, place{p, f.Name()})
			}
		}
	}
	return out
}

// summary is what a function does to the place; its position is not valid where it writes nothing there.
func (w *writes) summary(p place) written {
	if w.memo == nil {
		w.memo = map[place]*written{}
		for _, component := range w.pkg.BottomUp(leads) {
			for w.more(component) { // until the functions that call each other do nothing else
			}
		}
	}
	if s := w.memo[p]; s != nil {
		return *s
	}
	return written{}
}

// more looks at the places to which nothing is known to be written yet, and reports whether something new is done to one.
func (w *writes) more(fns []*ssa.Function) bool {
	more := false
	for _, fn := range fns {
		for i, v := range fn.Params {
			for _, p := range places(fn, i) {
				old := w.memo[p]
				if old != nil && old.pos.IsValid() {
					continue
				}
				found := &search{writes: w, seen: map[ssa.Value]bool{}}
				s := &written{}
				if p.field == "" {
					s.write = found.follow(v)
				} else {
					s.write = found.inStruct(v, p.field)
				}
				s.calls = found.calls
				if s.pos.IsValid() || len(s.calls) > 0 && (old == nil || len(s.calls) > len(old.calls)) {
					w.memo[p] = s
					more = true
				}
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

// through is the first write to what v leads to; its position is not valid where there is none.
func (w *writes) through(v ssa.Value) write {
	return (&search{writes: w, seen: map[ssa.Value]bool{}}).follow(v)
}

// A search follows one value through a function.
type search struct {
	*writes
	seen  map[ssa.Value]bool
	typ   types.Type // of what is followed, where that is known: an interface holds it
	calls []string   // see written
}

// first is the first write that by finds among the uses of v.
func first(v ssa.Value, by func(ssa.Instruction) write) write {
	for _, ref := range *v.Referrers() {
		if found := by(ref); found.pos.IsValid() {
			if found.fn == nil {
				found.fn = ref.Parent()
			}
			return found
		}
	}
	return write{}
}

// follow looks at the uses of v, something that leads to shared memory.
func (w *search) follow(v ssa.Value) write {
	w.typ = nil
	return w.inside(v)
}

// inside is follow where an interface in v holds what was followed up to now.
func (w *search) inside(v ssa.Value) write {
	if w.seen[v] || v.Referrers() == nil {
		return write{}
	}
	w.seen[v] = true
	if !types.IsInterface(v.Type()) {
		w.typ = v.Type()
	}
	defer func(typ types.Type) { w.typ = typ }(w.typ)
	typ := w.typ
	return first(v, func(ref ssa.Instruction) (found write) {
		w.typ = typ
		switch ref := ref.(type) {
		case *ssa.Store:
			switch {
			case ref.Addr == v && !localAddr(v):
				found = write{pos: ref.Pos(), what: target(v)}
			case ref.Val == v:
				switch addr := ref.Addr.(type) {
				case *ssa.Alloc:
					if storedOnce(addr) == v {
						found = w.variable(addr)
					}
				case *ssa.FieldAddr:
					name := target(addr)
					if alloc, ok := addr.X.(*ssa.Alloc); ok && isStruct(alloc.Type().Underlying().(*types.Pointer).Elem()) && fieldStores(alloc, name) == 1 {
						found = w.inVariable(alloc, name)
					}
				}
			}
		case *ssa.MapUpdate:
			if ref.Map == v {
				found = write{pos: ref.Pos(), what: "an entry"}
			}
		case *ssa.FieldAddr:
			if ref.X == v {
				found = w.follow(ref)
			}
		case *ssa.IndexAddr:
			if ref.X == v {
				found = w.follow(ref)
			}
		case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			found = w.inside(ref.(ssa.Value))
		case *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.Lookup, *ssa.Slice:
			if x := ref.(ssa.Value); shared(x.Type()) || isStruct(x.Type()) {
				found = w.follow(x)
			}
		case *ssa.TypeAssert:
			found = w.follow(ref)
		case *ssa.UnOp:
			// A loaded struct is a copy, but its maps and slices are not.
			if ref.Op == token.MUL && (shared(ref.Type()) || isStruct(ref.Type())) {
				found = w.follow(ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == v && !found.pos.IsValid() {
					found = w.follow(ref.Fn.(*ssa.Function).FreeVars[i])
				}
			}
		case ssa.CallInstruction:
			found = w.call(ref, v, "")
			if call, ok := ref.(*ssa.Call); ok && !found.pos.IsValid() && shared(call.Type()) && flow.Callee(&call.Call) != nil && kube.IsGetter(flow.Callee(&call.Call)) && flow.AllArgs(&call.Call)[0] == v {
				found = w.follow(call)
			}
		}
		return found
	})
}

// variable follows a local variable that holds, by reference or as a struct, what is shared.
func (w *search) variable(alloc *ssa.Alloc) write {
	isCopy := isStruct(alloc.Type().Underlying().(*types.Pointer).Elem())
	var visit func(addr ssa.Value) write
	visit = func(addr ssa.Value) write {
		if addr.Referrers() == nil {
			return write{}
		}
		return first(addr, func(r ssa.Instruction) (found write) {
			switch r := r.(type) {
			case *ssa.UnOp:
				if r.Op == token.MUL && (shared(r.Type()) || isStruct(r.Type())) && !overwritten(addr) {
					found = w.inside(r)
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
			return found
		})
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
func target(addr ssa.Value) string {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		if f := flow.Field(fa.X.Type(), fa.Field); f != nil {
			return f.Name()
		}
	}
	return "it"
}

// inStruct is the first write to what the field of v, a struct, leads to.
func (w *search) inStruct(v ssa.Value, field string) write {
	if w.seen[v] || v.Referrers() == nil {
		return write{}
	}
	w.seen[v] = true
	return first(v, func(ref ssa.Instruction) (found write) {
		switch ref := ref.(type) {
		case *ssa.Field:
			if f := flow.Field(ref.X.Type(), ref.Field); f != nil && f.Name() == field {
				found = w.inside(ref)
			}
		case *ssa.Store:
			if alloc, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == v && storedOnce(alloc) == v && fieldStores(alloc, field) == 1 {
				found = w.inVariable(alloc, field)
			}
		case ssa.CallInstruction:
			found = w.call(ref, v, field)
		}
		return found
	})
}

// inVariable is the first write to what the field of the struct at addr, which is written once, leads to.
func (w *search) inVariable(addr ssa.Value, field string) write {
	if w.seen[addr] || addr.Referrers() == nil {
		return write{}
	}
	w.seen[addr] = true
	return first(addr, func(ref ssa.Instruction) (found write) {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if target(ref) == field {
				for _, r := range *ref.Referrers() {
					if load, ok := r.(*ssa.UnOp); ok && !found.pos.IsValid() {
						found = w.inside(load)
					}
				}
			}
		case *ssa.UnOp:
			found = w.inStruct(ref, field)
		}
		return found
	})
}

// fieldStores is how often the field of the struct at addr, or all of it, is written, by this function or by literals that have the
// variable.
func fieldStores(addr ssa.Value, field string) int {
	n := 0
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				n++
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == addr {
					n += fieldStores(r.Fn.(*ssa.Function).FreeVars[i], field)
				}
			}
		case *ssa.FieldAddr:
			if target(r) != field {
				continue
			}
			for _, r2 := range *r.Referrers() {
				if st, ok := r2.(*ssa.Store); ok && st.Addr == ssa.Value(r) {
					n++
				}
			}
		}
	}
	return n
}

// call is what a call does to v, one of its arguments, or to the field of that, a struct.
func (w *search) call(call ssa.CallInstruction, v ssa.Value, field string) write {
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
	if at < 0 || slices.ContainsFunc(args, options) {
		return write{}
	}
	if fn := w.pkg.Callee(common); fn != nil {
		found := w.summary(place{parameter{fn, at}, field})
		if !found.pos.IsValid() {
			return w.methods(call, found.calls)
		}
		out := found.write
		out.call = call.Pos()
		return out
	}
	sets := write{pos: call.Pos(), what: "what " + callee.Name() + " sets"}
	if field == "" && at == 0 && kube.IsSetter(callee) {
		return write{pos: call.Pos(), what: strings.TrimPrefix(callee.Name(), "Set")}
	}
	if w, ok := kube.WritesTo(callee); ok && w.Arg == at && field == "" {
		return sets
	}
	if common.IsInvoke() {
		if at == 0 && field == "" && kube.IsObject(common.Value.Type()) && !kube.IsGetter(callee) {
			return w.methods(call, []string{callee.Name()})
		}
		return write{}
	}
	f := w.fact(callee)
	if f == nil {
		return write{}
	}
	of := writeField{at, field}
	if field == "" && slices.Contains(f.Params, at) || slices.Contains(f.Fields, of) {
		return sets
	}
	var calls []string
	for _, c := range f.Calls {
		if c.Of == of {
			calls = append(calls, c.Method)
		}
	}
	return w.methods(call, calls)
}

// options reports whether v is a row of functions that this function has made for the one that it calls: what that does may
// depend on them.
func options(v ssa.Value) bool {
	s, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if _, ok := s.Elem().Underlying().(*types.Signature); !ok {
		return false
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Parameter: // none, or those of the caller, which is asked the same
		return false
	}
	return true
}

// methods is what these methods, which call leads to, of what is followed do to that. Where it is in an interface that comes
// from elsewhere, that is for others to say.
func (w *search) methods(call ssa.CallInstruction, names []string) write {
	if len(names) == 0 {
		return write{}
	}
	if w.typ == nil {
		for _, name := range names {
			if !slices.Contains(w.calls, name) {
				w.calls = append(w.calls, name)
			}
		}
		return write{}
	}
	set := types.NewMethodSet(w.typ)
	for _, name := range names {
		sel := set.Lookup(nil, name)
		if sel == nil {
			continue // not exported
		}
		m := sel.Obj().(*types.Func).Origin()
		own := false
		if fn := w.pkg.Own(w.pkg.Prog.FuncValue(m)); fn != nil {
			own = w.summary(place{parameter{fn, 0}, ""}).pos.IsValid()
		} else if f := w.fact(m); f != nil {
			own = slices.Contains(f.Params, 0)
		}
		if own {
			return write{pos: call.Pos(), what: "what " + name + " sets"}
		}
	}
	return write{}
}
