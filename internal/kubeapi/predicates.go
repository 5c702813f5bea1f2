package kubeapi

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Predicate is a predicate of controller-runtime, as far as it is known what it tests.
type Predicate struct {
	Op    PredicateOp
	List  []*Predicate // of And, Or and Not
	Field string       // the type of controller-runtime that may wait for a change of one field
	// Fns are its functions, or those that override a builtin predicate, by events; nil if one is not known. Events
	// without a function pass. They take an event, or an object.
	Fns  map[string]*ssa.Function
	Far  types.Object // of another package: the function that makes it or is its update function, or the variable that holds it
	Name string       // for messages
	Pos  token.Pos
}

// A PredicateOp is how a predicate decides.
type PredicateOp uint8

// The ops.
const (
	OpUnknown PredicateOp = iota
	OpAnd
	OpOr
	OpNot
	OpBuiltin
	OpFuncs
	OpImported
)

// All are p, and those that it is made of.
func (p *Predicate) All(yield func(*Predicate) bool) {
	more := yield(p)
	for _, q := range p.List {
		q.All(func(q *Predicate) bool {
			more = more && yield(q)
			return more
		})
	}
}

// PredicateOf returns the predicate that v holds, which gets at at.
func PredicateOf(p Package, v ssa.Value, at token.Pos) *Predicate {
	return predicates{p, map[ssa.Value]bool{}}.of(v, at)
}

// PredicateFrom returns the predicate that fn returns, or whose update function it returns or is; nil if there is
// none, or several.
func PredicateFrom(p Package, fn *ssa.Function) *Predicate {
	ps := predicates{p, map[ssa.Value]bool{}}
	switch {
	case fn.Signature.Results().Len() != 1:
		return nil
	case fn.Name() == "Update" && asks(fn.Signature, "Update") && len(fn.Params) == 2:
		return ps.byHand(fn, "", fn.Pos())
	}
	return ps.returned(fn)
}

// PredicateIn returns the predicate in the package variable g; nil if its type is not that of one.
func PredicateIn(p Package, g *ssa.Global) *Predicate {
	if !IsPredicate(flow.Pointee(g.Type())) {
		return nil
	}
	return predicates{p, map[ssa.Value]bool{}}.global(g, g.Pos())
}

// predicates finds the predicates that values hold.
type predicates struct {
	pkg  Package
	busy map[ssa.Value]bool // what is being analysed: a predicate that is made of itself is not known
}

// of returns the predicate that v holds.
func (ps predicates) of(v ssa.Value, at token.Pos) *Predicate {
	v = flow.Unwrap(v)
	if ps.busy[v] {
		return &Predicate{Pos: at}
	}
	ps.busy[v] = true
	defer delete(ps.busy, v)
	if p := v.Pos(); p.IsValid() {
		at = p
	}
	if name := ofField(v.Type()); name != "" {
		return &Predicate{Op: OpBuiltin, Field: name, Name: typeName(v.Type()), Pos: at}
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return &Predicate{Pos: at}
		}
		var stored ssa.Value
		switch a := x.X.(type) {
		case *ssa.Alloc:
			stored = flow.StoredOnce(a)
		case *ssa.Global:
			return ps.global(a, at)
		case *ssa.FreeVar:
			if b := flow.Binding(a); b != nil {
				stored = flow.StoredOnce(b)
			}
			return ps.ofStored(stored, v.Type(), at)
		}
		if isFuncs(x.X.Type()) {
			return ps.funcs(at, x.X)
		}
		if filled := embeddedFuncs(x.X); stored == nil && filled != nil {
			return ps.overrides(ps.funcs(at, filled...), Named(v.Type()))
		}
		return ps.ofStored(stored, v.Type(), at)
	case *ssa.Alloc: // &T{}
		if isFuncs(x.Type()) {
			return ps.funcs(at, x)
		}
		if filled := embeddedFuncs(x); filled != nil {
			return ps.overrides(ps.funcs(at, filled...), Named(x.Type()))
		}
	case *ssa.Call:
		return ps.call(x, at)
	}
	return ps.custom(v.Type(), at)
}

// global returns the predicate in the package variable g, unless the package may assign to it after its
// initialization. One of another package is what the fact of the variable says.
func (ps predicates) global(g *ssa.Global, at token.Pos) *Predicate {
	t, here := flow.Pointee(g.Type()), ps.pkg.SSA()
	if slices.ContainsFunc(ps.pkg.All(), func(fn *ssa.Function) bool { return fn != here.Func("init") && flow.Assigns(fn, g) }) {
		return &Predicate{Pos: at}
	}
	switch {
	case g.Pkg != here && (types.IsInterface(t) || isFuncs(t)):
		return &Predicate{Op: OpImported, Far: g.Object(), Name: g.Name(), Pos: at}
	case isFuncs(t):
		return ps.funcs(at, g)
	}
	return ps.ofStored(flow.Initial(g), t, at)
}

// ofStored returns the predicate in a variable of type t, to which stored is the only store, if any.
func (ps predicates) ofStored(stored ssa.Value, t types.Type, at token.Pos) *Predicate {
	if stored != nil {
		return ps.of(stored, at)
	}
	return ps.custom(t, at)
}

// builtin returns the name of a predicate type of controller-runtime, "" for other types.
func builtin(t types.Type) string {
	return strings.TrimPrefix(NameIn(t, PredicatePkg), "Typed")
}

// ofField returns the name of a predicate type of controller-runtime, "" for Funcs, for interfaces and for other types.
func ofField(t types.Type) string {
	if n := Named(t); n == nil || types.IsInterface(n) || isFuncs(t) {
		return ""
	}
	return builtin(t)
}

func isFuncs(t types.Type) bool { return builtin(t) == "Funcs" }

func typeName(t types.Type) string {
	n := Named(t)
	if n == nil {
		return "the predicate"
	}
	if name := NameIn(t, PredicatePkg); name != "" {
		if i, ok := types.Unalias(t).(*types.Named); ok && i.TypeArgs().Len() == 1 && IsType(i.TypeArgs().At(0), Client, "Object") {
			name = strings.TrimPrefix(name, "Typed") // the short name is an alias of it
		}
		return "predicate." + name
	}
	return n.Obj().Name()
}

// embeddedFuncs returns the addresses of the embedded predicate.Funcs from which the struct in the variable addr has
// its method Update; none for other structs.
func embeddedFuncs(addr ssa.Value) []ssa.Value {
	alloc, ok := addr.(*ssa.Alloc)
	if !ok || Named(alloc.Type()) == nil {
		return nil
	}
	st, ok := Named(alloc.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	_, index, _ := types.LookupFieldOrMethod(alloc.Type(), true, nil, "Update")
	if len(index) != 2 || !isFuncs(st.Field(index[0]).Type()) {
		return nil
	}
	var out []ssa.Value
	for fa := range flow.Referrers[*ssa.FieldAddr](alloc) {
		if fa.Field == index[0] {
			out = append(out, fa)
		}
	}
	return out
}

// funcs returns the predicate.Funcs in the variable at the addresses.
func (ps predicates) funcs(at token.Pos, addrs ...ssa.Value) *Predicate {
	fns := []*ssa.Function{addrs[0].Parent()}
	if _, global := addrs[0].(*ssa.Global); global {
		fns = ps.pkg.All()
	}
	p := &Predicate{Op: OpFuncs, Fns: map[string]*ssa.Function{}, Name: "this predicate", Pos: at}
	var whole *ssa.Store
	for st := range flow.InstrsOf[*ssa.Store](fns...) {
		if slices.Contains(addrs, st.Addr) {
			if whole != nil {
				return &Predicate{Pos: at}
			}
			whole = st
			p = ps.of(st.Val, at)
			continue
		}
		if fa, ok := st.Addr.(*ssa.FieldAddr); ok && slices.Contains(addrs, fa.X) {
			ps.fill(p, strings.TrimSuffix(flow.Field(fa.X.Type(), fa.Field).Name(), "Func"), st, whole)
		}
	}
	return p
}

// fill notes that st sets the function of p for event. If whole is not nil, it has set the variable before, and decides
// for the other events.
func (ps predicates) fill(p *Predicate, event string, st, whole *ssa.Store) {
	if p.Fns == nil {
		p.Fns = map[string]*ssa.Function{}
	}
	if whole != nil {
		p.Name = "this predicate"
	}
	if event == EventUpdate {
		p.Op, p.Far = OpFuncs, nil
	}
	if whole != nil && whole.Block() != st.Block() { // it may have either
		p.Fns[event] = nil
		if event == EventUpdate {
			p.Op = OpUnknown
		}
		return
	}
	if p.Fns[event] = functionIn(ps.pkg, st.Val); event == EventUpdate {
		ps.setUpdate(p, st.Val)
	}
}

// setUpdate notes what is known of v, the update function of p.
func (ps predicates) setUpdate(p *Predicate, v ssa.Value) {
	if flow.IsNil(v) {
		delete(p.Fns, EventUpdate)
		return
	}
	if update := p.Fns[EventUpdate]; update != nil {
		if update.Pos().IsValid() {
			p.Pos = update.Pos()
		}
		if update.Parent() == nil {
			p.Name = flow.FuncName(update)
		}
		return
	}
	p.Op = OpUnknown
	if call, ok := flow.Resolve(v).(*ssa.Call); ok && flow.Callee(&call.Call) != nil {
		p.Op, p.Far = OpImported, flow.Callee(&call.Call)
		p.Name = p.Far.Name()
	}
}

// byHand returns a predicate whose update function is fn; unknown if that is nil.
func (ps predicates) byHand(fn *ssa.Function, name string, at token.Pos) *Predicate {
	if fn == nil {
		return &Predicate{Pos: at}
	}
	return &Predicate{Op: OpFuncs, Fns: map[string]*ssa.Function{EventUpdate: fn}, Name: name, Pos: fn.Pos()}
}

// custom returns a value of a predicate type of this package, which has an Update method or inherits one.
func (ps predicates) custom(t types.Type, at token.Pos) *Predicate {
	unknown := &Predicate{Pos: at}
	n := Named(t)
	if n == nil || types.IsInterface(n) {
		return unknown
	}
	obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, ps.pkg.SSA().Pkg, "Update")
	method, ok := obj.(*types.Func)
	if !ok {
		return unknown
	}
	if len(index) > 1 { // promoted from an embedded predicate; Funcs may have been filled in
		if st, ok := n.Underlying().(*types.Struct); ok {
			if name := ofField(st.Field(index[0]).Type()); name != "" {
				return ps.overrides(&Predicate{Op: OpBuiltin, Field: name, Fns: map[string]*ssa.Function{}, Name: n.Obj().Name(), Pos: at}, n)
			}
		}
		return unknown
	}
	if n.Obj().Pkg() == ps.pkg.SSA().Pkg {
		made := ps.byHand(ps.pkg.Own(ps.pkg.SSA().Prog.FuncValue(method.Origin())), n.Obj().Name(), at)
		if made.Op != OpFuncs {
			return made
		}
		return ps.overrides(made, n)
	}
	return &Predicate{Op: OpImported, Far: method, Name: n.Obj().Name(), Pos: at}
}

// overrides returns p, of the type n, with the functions that this package has for what is created and deleted.
func (ps predicates) overrides(p *Predicate, n *types.Named) *Predicate {
	for _, event := range []string{EventCreate, EventDelete} {
		if fn := ps.pkg.MethodOf(n, event); fn != nil {
			p.Fns[event] = fn
		}
	}
	return p
}

// call returns the predicate that a function makes.
func (ps predicates) call(call *ssa.Call, at token.Pos) *Predicate {
	unknown := &Predicate{Pos: at}
	callee := flow.Callee(&call.Call)
	if callee == nil {
		return unknown
	}
	if fn := ps.pkg.Callee(&call.Call); fn != nil {
		if p := ps.returned(fn); p != nil {
			return p
		}
		return unknown
	}
	sym := SymbolOf(callee)
	args := flow.Args(&call.Call)
	switch {
	case predicateMakers.Has(callee):
		return ps.byHand(functionIn(ps.pkg, args[0]), "this predicate", at)
	case combining[sym] == OpUnknown:
		return &Predicate{Op: OpImported, Far: callee, Name: callee.Name(), Pos: at}
	case len(args) == 0:
		return unknown
	}
	list, ok := args, true
	if callee.Signature().Variadic() {
		list, ok = flow.Appended(args[len(args)-1])
		if combining[sym] == OpOr {
			list = flow.Elements(args[len(args)-1]) // all of them
		}
	}
	if !ok || len(list) == 0 {
		return unknown
	}
	p := &Predicate{Op: combining[sym], Pos: at, Name: sym.String()}
	for _, a := range list {
		p.List = append(p.List, ps.of(a, at))
	}
	return p
}

const capi = "sigs.k8s.io/cluster-api/util/predicates"

var predicateMakers = symbols(PredicatePkg, "NewPredicateFuncs NewTypedPredicateFuncs")

// combining are the functions that combine predicates, their last arguments.
var combining = map[Symbol]PredicateOp{
	{Pkg: PredicatePkg, Name: "And"}: OpAnd, {Pkg: PredicatePkg, Name: "Or"}: OpOr, {Pkg: PredicatePkg, Name: "Not"}: OpNot,
	{Pkg: capi, Name: "All"}: OpAnd, {Pkg: capi, Name: "TypedAll"}: OpAnd, {Pkg: capi, Name: "Any"}: OpOr, {Pkg: capi, Name: "TypedAny"}: OpOr,
}

// returned returns the predicate that fn returns, or whose update function it returns; nil if there is none, or
// several.
func (ps predicates) returned(fn *ssa.Function) *Predicate {
	if fn.Signature.Results().Len() != 1 {
		return nil
	}
	t := fn.Signature.Results().At(0).Type()
	sig, isFunc := t.Underlying().(*types.Signature)
	if isFunc && !asks(sig, "Update") || !isFunc && !IsPredicate(t) {
		return nil
	}
	var only ssa.Value
	for ret := range flow.Returns(fn) {
		if len(ret.Results) == 0 {
			continue
		}
		if only != nil && only != ret.Results[0] {
			return nil
		}
		only = ret.Results[0]
	}
	if only == nil {
		return nil
	}
	if isFunc {
		if f := ps.pkg.Own(flow.FuncValue(only)); f != nil {
			return ps.byHand(f, flow.FuncName(fn), fn.Pos())
		}
		return nil
	}
	p := ps.of(only, fn.Pos())
	if p.Name == "this predicate" {
		p.Name = flow.FuncName(fn)
	}
	return p
}

// IsPredicate reports whether t is controller-runtime's interface of predicates, or implements it.
func IsPredicate(t types.Type) bool {
	return !slices.ContainsFunc([]string{EventCreate, EventUpdate, EventDelete, EventGeneric}, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		m, ok := obj.(*types.Func)
		return !ok || !asks(m.Signature(), name)
	})
}

// asks reports whether a function says of an event of that kind whether it matters.
func asks(sig *types.Signature, event string) bool {
	return sig.Params().Len() == 1 && IsEvent(sig.Params().At(0).Type(), event) && sig.Results().Len() == 1 && flow.IsBool(sig.Results().At(0).Type())
}

// changes are the predicates of controller-runtime that wait for a change of one field of metadata.
var changes = map[string]Meta{
	"GenerationChangedPredicate": MetaGeneration, "ResourceVersionChangedPredicate": MetaResourceVersion,
	"LabelChangedPredicate": MetaLabels, "AnnotationChangedPredicate": MetaAnnotations,
}

// WaitsFor returns the field for whose change p waits, a predicate of controller-runtime; "" for others.
func (p *Predicate) WaitsFor() Meta { return changes[p.Field] }
