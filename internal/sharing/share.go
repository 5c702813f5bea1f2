package sharing

import (
	"cmp"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// A share says how a value leads to the memory of an origin: an object that a cache has given out, or a parameter.
type share struct {
	// at: the value refers to that memory, so that a write through it is one there. Otherwise it is memory of its own,
	// or a struct, in which references to that memory lie.
	at bool
	// within is where they lie, ".Field" and "[]" one after the other; at the end own, where a reference to a struct
	// lies that is one's own, with what refers to the origin in it.
	within string
	// ref: what lies there is a reference to the origin. Otherwise it is a copy of a struct of the origin, with its
	// references.
	ref bool
	// deep: a reference was followed since the origin, so that what is written is not what the origin itself points to.
	deep bool
	// path is the way from the origin to the first reference that was followed.
	path string
	// object: on the way was an object of the cluster.
	object bool
	// content: it leads there only if the origin is an Unstructured.
	content bool
	via     Kind
}

// A Kind is what makes it hard to see that a value still leads to the origin: the word for the finding.
type Kind uint8

// Kinds: what lies between an origin and the value.
const (
	Plainly   Kind = iota
	InElement      // the copy of an element
	InCopy         // the copy of a struct
	InAlias        // a part that was given to another object, or out by a getter
)

// A step is one of those from an origin to a use: the instruction, and the one before.
type step struct {
	before *step
	in     ssa.Instruction
	v      ssa.Value // what leads to the origin from there
	own    bool      // it does not refer to the origin: it, or what it points to, has references that do
}

// puts reports whether one of the steps up to s puts something into list.
func (s *step) puts(list ssa.Value) bool {
	for ; s != nil; s = s.before {
		if st, ok := s.in.(*ssa.Store); ok && st.Addr != s.v {
			if root, _ := place(st.Addr); root == list {
				return true
			}
		}
	}
	return false
}

// A tracer follows what leads to the memory of one origin through a function and the literals in it.
type tracer struct {
	*Sharing
	fn     *ssa.Function
	origin ssa.Value
	seen   map[seenKey]bool
	leads  map[ssa.Value]bool // those of seen that refer to the memory
	work   []item
	// effects are the places where something becomes of the memory.
	effects []Effect
}

func (t *tracer) effect(e Effect) {
	e.leads = t.leads
	t.effects = append(t.effects, e)
}

type seenKey struct {
	v  ssa.Value
	sh share
}

type item struct {
	v    ssa.Value
	sh   share
	last *step
}

// A Deed is what becomes of shared memory.
type Deed uint8

// Deeds.
const (
	Written  Deed = iota // it is written to
	Given                // a callee writes to it
	returned             // it gets to the caller
	called               // a method of it is called, of an object of a type that the caller knows
)

// writes reports whether d is a write.
func (d Deed) writes() bool { return d <= Given }

// A Target is what a write changes.
type Target struct {
	Part string // Entry, Element, Elements, or words for another part; "" for all of it
	Of   string // the name of a field or variable, or words for it; "" if it has none
}

// The parts of maps and slices.
const (
	Entry    = "an entry"
	Element  = "an element"
	Elements = "the elements"
)

// fields are the words for all of an object.
const fields = "the fields"

// String returns the words for t in a message.
func (t Target) String() string {
	if t.Part == "" || t.Of == "" {
		return t.Part + t.Of
	}
	return t.Part + " of " + t.Of
}

// An Effect is a place where something becomes of the memory of an origin.
type Effect struct {
	Deed   Deed
	In     ssa.Instruction
	What   Target          // is written
	Callee string          // that writes to it
	Arg    ssa.Value       // that the callee is given
	Sorts  bool            // it changes the order of a list
	Where  Place           // the write, in a callee
	At     token.Pos       // the last place of this package on the way there, where the callee is one of this package
	Own    bool            // At is the write
	setter bool            // of the object
	when   paths.Condition // the values of a parameter of the function in which the callee writes
	method string          // that is called
	sh     share
	steps  *step
	leads  map[ssa.Value]bool // what refers to the memory of the origin
	result int                // that it is returned as
}

// Via returns what makes it hard to see that it is the memory of the origin.
func (e Effect) Via() Kind { return e.sh.via }

// Mixed reports whether something else may be in the variable than what the origin gave.
func (e Effect) Mixed() bool {
	for s := e.steps; s != nil; s = s.before {
		if _, ok := s.in.(*ssa.Phi); ok {
			return true
		}
	}
	return false
}

// WrittenBy reports whether is holds of the instruction of e, or of the last one of the package on the way to what a
// function writes that e returns the memory to.
func (a *Sharing) WrittenBy(e Effect, is func(ssa.Instruction) bool) bool {
	if is(e.In) {
		return true
	}
	return flow.Any(flow.Instrs(a.p.All()...), func(in ssa.Instruction) bool {
		return e.At.IsValid() && flow.Pos(in) == e.At && is(in)
	})
}

// SentBy returns the request that in is, where it sends what e has written to.
func (e Effect) SentBy(in ssa.Instruction) (kubeapi.Request, bool) {
	c, ok := in.(ssa.CallInstruction)
	if !ok || in == e.In {
		return kubeapi.Request{}, false
	}
	r, ok := kubeapi.RequestOf(c.Common())
	if !ok || !r.Verb.Writes() || r.Object == nil {
		return kubeapi.Request{}, false
	}
	for v := range e.Values {
		if v == r.Object || v == flow.Unwrap(r.Object) {
			return r, true
		}
	}
	return kubeapi.Request{}, false
}

// Values are what led from the origin to the effect, the last one first.
func (e Effect) Values(yield func(ssa.Value) bool) {
	for s := e.steps; s != nil; s = s.before {
		if !yield(s.v) {
			return
		}
	}
}

// trace follows v, which is sh of the origin, through fn and calls effect for each effect.
func (a *Sharing) trace(fn *ssa.Function, v ssa.Value, sh share, effect func(Effect)) {
	t := &tracer{Sharing: a, fn: fn, origin: v, seen: map[seenKey]bool{}, leads: map[ssa.Value]bool{}}
	t.add(v, sh, nil)
	for len(t.work) > 0 {
		it := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		t.uses(it)
	}
	for _, e := range t.effects {
		effect(e)
	}
}

// add notes that v is sh of the origin, unless nothing can be shared by a value of its type.
func (t *tracer) add(v ssa.Value, sh share, last *step) {
	if v == nil || v.Referrers() == nil || sh.within == nowhere || !sh.at && !holds(v.Type()) || sh.at && !(refers(v.Type()) && t.mayBeCached(v.Type())) {
		return
	}
	if nested := strings.Count(sh.within, ".") + strings.Count(sh.within, "["); nested > maxNested {
		t.p.Cut("references to what a cache holds lie too deep in others", v)
		return
	}
	if kubeapi.IsObject(v.Type()) {
		sh.object = true
	}
	k := seenKey{v, sh}
	if t.seen[k] {
		return
	}
	t.seen[k] = true
	t.leads[v] = t.leads[v] || sh.at
	t.work = append(t.work, item{v, sh, last})
}

// uses follows the uses of it.
func (t *tracer) uses(it item) {
	list := strings.HasPrefix(it.sh.within, "[]") && !it.last.puts(it.v)
	for _, in := range *it.v.Referrers() {
		if !list || !isReplaced(it.v, in) {
			t.use(it, in)
		}
	}
}

func (t *tracer) use(it item, in ssa.Instruction) {
	v, sh := it.v, it.sh
	here := &step{it.last, in, v, !sh.at}
	switch in := in.(type) {
	case *ssa.Store:
		if in.Addr == v && sh.at && !isVariable(v) && !isKind(v) && !fillsNil(in, in.Val) && !isAnswer(in) {
			t.effect(Effect{Deed: Written, In: in, sh: sh, steps: here, What: whole(in.Addr)})
		}
		if in.Val == v {
			t.store(in, sh, here)
		}
	case *ssa.MapUpdate:
		switch {
		case in.Map == v && sh.at:
			t.effect(Effect{Deed: Written, In: in, sh: sh, steps: here, What: partOf(Entry, v)})
		case in.Value == v && in.Map != v:
			t.add(in.Map, sh.inside("[]", in.Value), here)
		}
	case *ssa.FieldAddr:
		t.add(in, sh.part("."+fieldName(in.X.Type(), in.Field)), here)
	case *ssa.Field:
		t.loaded(in, sh.part("."+fieldName(in.X.Type(), in.Field)), here)
	case *ssa.IndexAddr:
		if in.X == v {
			t.add(in, sh.part("[]"), here)
		}
	case *ssa.Index:
		if in.X == v {
			t.loaded(in, sh.part("[]"), here)
		}
	case *ssa.Lookup:
		switch {
		case in.X != v:
		case in.CommaOk:
			components(in, 0, func(x ssa.Value) { t.loaded(x, sh.part("[]"), here) })
		default:
			t.loaded(in, sh.part("[]"), here)
		}
	case *ssa.UnOp:
		if in.Op == token.MUL {
			t.loaded(in, sh, here)
		}
	case *ssa.Range:
		for _, r := range *in.Referrers() {
			if next, ok := r.(*ssa.Next); ok && !next.IsString {
				components(next, 2, func(x ssa.Value) { t.loaded(x, sh.part("[]"), here) })
			}
		}
	case *ssa.Slice:
		t.add(in, sh, here)
	case *ssa.Phi:
		for i, edge := range in.Edges {
			if edge == v && !impliedOn(in.Block().Preds[i], in.Block(), v, flow.True) {
				t.add(in, sh, here)
			}
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.SliceToArrayPointer:
		t.add(in.(ssa.Value), sh, here)
	case *ssa.TypeAssert:
		if !in.CommaOk {
			t.add(in, sh, here)
			return
		}
		components(in, 0, func(x ssa.Value) { t.add(x, sh, here) })
	case *ssa.MakeClosure:
		for i, b := range in.Bindings {
			if b == v {
				t.add(in.Fn.(*ssa.Function).FreeVars[i], sh, here)
			}
		}
	case *ssa.Return:
		for i, r := range in.Results {
			if r == v && in.Parent() == t.fn && !nothingAt(in.Block(), v) {
				t.effect(Effect{Deed: returned, In: in, sh: sh, steps: here, result: i})
			}
		}
	case ssa.CallInstruction:
		t.call(in, it, here)
	}
}

// loaded adds v, which is read from memory that is sh: a reference that lies there leads to what is shared, a struct
// is a copy with such references in it.
func (t *tracer) loaded(v ssa.Value, sh share, here *step) {
	switch {
	case v == nil:
		return
	case sh.within == own:
		sh.within = ""
	case sh.within != "":
	case sh.ref:
		sh.at, sh.ref = true, false
	case refers(v.Type()):
		if !sh.at && !sh.deep && t.isFilled(v) {
			return
		}
		sh.at, sh.deep = true, true
	default:
		sh.at = false
	}
	t.add(v, sh, here)
}

// components yields the values that are taken out of tuple at index i.
func components(tuple ssa.Value, i int, yield func(ssa.Value)) {
	for _, r := range *tuple.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == i {
			yield(x)
		}
	}
}

// part is sh of what lies at sel in the memory that is sh.
func (s share) part(sel string) share {
	if !s.at && s.within != "" {
		rest, ok := strings.CutPrefix(s.within, sel)
		if !ok {
			rest = nowhere
		}
		s.within = rest
		return s
	}
	if !s.deep {
		s.path += sel
	}
	return s
}

// maxNested is how many fields and elements inside of each other lead to a reference that is put into a value. A list
// that is put into itself, or a loop that wraps what it had, would go on without end; people put objects into a list,
// or a field of a list of structs.
const maxNested = 4

// nowhere is where nothing of the origin lies.
const nowhere = "-"

// own ends the way to a reference to the copy of a struct. Without it, what lies there is the struct, or a reference
// that it has: to the origin.
const own = "*"

// inside is sh of the memory in which v, which is sh, lies at sel.
func (s share) inside(sel string, v ssa.Value) share {
	switch {
	case s.at:
		s.at, s.ref = false, true
	case s.within == "" && !s.ref && refers(v.Type()):
		sel += own
	}
	s.within = sel + s.within
	return s
}

// refers reports whether a value of type t is a reference, so that a copy of the value leads to the same memory.
func refers(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	case *types.Interface:
		return !flow.IsError(t) && !kubeapi.IsContext(t)
	}
	return false
}

// holds reports whether references may lie in a value of type t, or in what it refers to.
func holds(t types.Type) bool {
	if refers(t) {
		return true
	}
	if isValue(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return holds(u.Elem())
	case *types.Tuple:
		return true
	}
	return false
}

// mayBeCached reports whether a reference of type t may be to an object, or to a part of one: those have names for
// JSON.
func (a *Sharing) mayBeCached(t types.Type) bool {
	if is, ok := a.cached[t]; ok {
		return is
	}
	a.cached[t] = true // of a type that has itself for a part
	is := a.isPart(t)
	a.cached[t] = is
	return is
}

func (a *Sharing) isPart(t types.Type) bool {
	if kubeapi.IsObject(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return a.mayBeCached(u.Elem())
	case *types.Slice:
		return a.mayBeCached(u.Elem())
	case *types.Array:
		return a.mayBeCached(u.Elem())
	case *types.Map:
		return a.mayBeCached(u.Elem())
	case *types.Interface:
		return kubeapi.IsAny(t) || kubeapi.PartOfObject(t)
	case *types.Struct:
		for i := range u.NumFields() {
			if _, ok := reflect.StructTag(u.Tag(i)).Lookup("json"); ok {
				return true
			}
		}
		return kubeapi.Tombstone.Is(t)
	case *types.Basic:
		return true
	}
	return false
}

func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// isValue reports whether t is a struct that people copy as they copy a number, although there is a pointer in it.
func isValue(t types.Type) bool {
	return kubeapi.IsType(t, "time", "Time") || kubeapi.IsTimeOrQuantity(t)
}

// isVariable reports whether v is the address of a variable, or of a struct that this function has made.
func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

func fieldName(t types.Type, i int) string {
	if f := flow.Field(t, i); f != nil {
		return f.Name()
	}
	return "?"
}

// isKind reports whether addr is that of what kind of object a typed one is. Readers know it by the type; caches have
// it or not.
func isKind(addr ssa.Value) bool {
	if p, ok := addr.Type().Underlying().(*types.Pointer); ok && kubeapi.TypeMeta.Is(p.Elem()) {
		return true
	}
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && isKind(fa.X)
}

// whole names what a store to the address v writes.
func whole(v ssa.Value) Target {
	addr := v
	if load, ok := v.(*ssa.UnOp); ok {
		addr = load.X
	}
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		return Target{Of: target(addr)}
	case *ssa.IndexAddr:
		return partOf(Element, addr.X)
	}
	return Target{Of: fields}
}

// isAnswer reports whether st puts the answer of a request in the place of a whole object: what the cache is to have
// next.
func isAnswer(st *ssa.Store) bool {
	load, ok := st.Val.(*ssa.UnOp)
	if !ok || whole(st.Addr) != (Target{Of: fields}) {
		return false
	}
	call, _ := flow.ResultOf(flow.Resolve(load.X))
	if call == nil {
		return false
	}
	_, ok = kubeapi.RequestOf(&call.Call)
	return ok
}

// TargetHere returns the target of the write as the function of e names it, by the argument of a call.
func (e Effect) TargetHere() Target {
	arg, part := e.Arg, cmp.Or(e.What.Part, e.What.Of)
	if call, ok := e.In.(ssa.CallInstruction); ok && e.Deed == Written && len(call.Common().Args) > 0 {
		arg = flow.Unwrap(call.Common().Args[0])
	}
	if arg == nil {
		return Target{Part: part}
	}
	return partOf(part, arg)
}

// partOf returns the target part of what is written through v, if that has a name.
func partOf(part string, v ssa.Value) Target {
	if of := target(v); !strings.Contains(of, " ") && of != "it" {
		return Target{part, of}
	}
	return Target{Part: part}
}

// target names what is written through v.
func target(v ssa.Value) string {
	switch x := flow.Unwrap(v).(type) {
	case *ssa.FieldAddr:
		return fieldName(x.X.Type(), x.Field)
	case *ssa.IndexAddr:
		return partOf(Element, x.X).String()
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return target(x.X)
		}
	case *ssa.Slice:
		return target(x.X)
	case *ssa.Call:
		if field := kubeapi.GetterOf(flow.Callee(&x.Call)); field != "" {
			return string(field)
		}
	}
	if name := flow.RootName(v); name != "" {
		return name
	}
	return "it"
}
