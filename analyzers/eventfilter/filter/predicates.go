package filter

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// predicates finds the predicates that values hold.
type predicates struct {
	pkg  *program.Program
	fact func(*types.Func) *filterFact // what is known of the predicate that a function of another package returns
	busy map[ssa.Value]bool            // what is being looked at: a predicate that is made of itself is not known
}

// of is the predicate that v holds.
func (ps predicates) of(v ssa.Value, at token.Pos) *pred {
	v = flow.Unwrap(v)
	if ps.busy[v] {
		return &pred{pos: at}
	}
	ps.busy[v] = true
	defer delete(ps.busy, v)
	if p := v.Pos(); p.IsValid() {
		at = p
	}
	if path := fields[builtin(v.Type())]; path != "" {
		return &pred{op: opField, path: path, name: typeName(v.Type()), pos: at}
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return &pred{pos: at}
		}
		var stored ssa.Value
		switch a := x.X.(type) {
		case *ssa.Alloc:
			stored = storedOnce(a)
		case *ssa.Global:
			stored = flow.Initial(a)
		case *ssa.FreeVar:
			if b := flow.Binding(a); b != nil {
				stored = storedOnce(b)
			}
			return ps.ofStored(stored, v, at)
		}
		if isFuncs(x.X.Type()) {
			return ps.funcs(x.X, at)
		}
		return ps.ofStored(stored, v, at)
	case *ssa.Alloc: // &T{}
		if isFuncs(x.Type()) {
			return ps.funcs(x, at)
		}
	case *ssa.Call:
		return ps.call(x, at)
	}
	return ps.custom(v.Type(), at)
}

// ofStored is the predicate that the variable holds of which v is loaded, and to which stored is the only store, if any.
func (ps predicates) ofStored(stored, v ssa.Value, at token.Pos) *pred {
	if stored != nil {
		return ps.of(stored, at)
	}
	return ps.custom(v.Type(), at)
}

// storedOnce is the only value that is stored to the variable at addr, whatever becomes of its fields; nil where there is
// none or more than one.
func storedOnce(addr ssa.Value) ssa.Value {
	if addr.Referrers() == nil {
		return nil
	}
	var only ssa.Value
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr {
				continue
			}
			if only != nil {
				return nil
			}
			only = r.Val
		case *ssa.MakeClosure:
			if flow.WritesBinding(r, addr) {
				return nil
			}
		}
	}
	return only
}

// builtin is the name of a predicate type of controller-runtime, "" for other types.
func builtin(t types.Type) string {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil || !kube.SamePackage(n.Obj().Pkg().Path(), kube.Predicate) {
		return ""
	}
	return strings.TrimPrefix(n.Obj().Name(), "Typed")
}

// fields are the predicate types of controller-runtime that look at one field.
var fields = map[string]string{
	"GenerationChangedPredicate": generationPath, "ResourceVersionChangedPredicate": resourceVersionPath,
	"LabelChangedPredicate": labelsPath, "AnnotationChangedPredicate": annotationsPath,
}

func isFuncs(t types.Type) bool { return builtin(t) == "Funcs" }

func typeName(t types.Type) string {
	n := kube.Named(t)
	if n == nil {
		return "the predicate"
	}
	if n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), kube.Predicate) {
		name := n.Obj().Name()
		if i, ok := types.Unalias(t).(*types.Named); ok && i.TypeArgs().Len() == 1 && kube.IsType(i.TypeArgs().At(0), kube.Client, "Object") {
			name = strings.TrimPrefix(name, "Typed") // the short name is an alias of it
		}
		return "predicate." + name
	}
	return n.Obj().Name()
}

// funcs is the predicate.Funcs in the variable at addr.
func (ps predicates) funcs(addr ssa.Value, at token.Pos) *pred {
	fns := []*ssa.Function{addr.Parent()}
	if _, global := addr.(*ssa.Global); global {
		fns = ps.pkg.All()
	}
	p := &pred{op: opFuncs, name: "this predicate", pos: at}
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if st.Addr == addr {
				return ps.of(st.Val, at)
			}
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && fa.X == addr {
				switch event := flow.Field(fa.X.Type(), fa.Field).Name(); event {
				case "UpdateFunc":
					ps.setUpdate(p, st.Val)
				case "CreateFunc", "DeleteFunc":
					if p.others == nil {
						p.others = map[string]*ssa.Function{}
					}
					p.others[event] = controllers.Function(ps.pkg, st.Val)
				}
			}
		}
	}
	return p
}

// setUpdate makes v the update function of p.
func (ps predicates) setUpdate(p *pred, v ssa.Value) {
	if flow.IsNil(v) {
		return
	}
	p.update, p.pkg = controllers.Function(ps.pkg, v), ps.pkg
	if p.update != nil {
		if p.update.Pos().IsValid() {
			p.pos = p.update.Pos()
		}
		if p.update.Parent() == nil {
			p.name = flow.FuncName(p.update)
		}
		return
	}
	p.op = opUnknown
	if call, ok := flow.Resolve(v).(*ssa.Call); ok {
		callee := flow.Callee(&call.Call)
		if s := ps.fact(callee); s != nil {
			p.op, p.summary, p.name = opSummary, s, callee.Name()
		}
	}
}

// byHand is a predicate whose update function is fn; not known where that is nil.
func (ps predicates) byHand(fn *ssa.Function, name string, at token.Pos) *pred {
	if fn == nil {
		return &pred{pos: at}
	}
	return &pred{op: opFuncs, update: fn, pkg: ps.pkg, name: name, pos: fn.Pos()}
}

// custom is a value of a predicate type of this package, which has an Update method or inherits one.
func (ps predicates) custom(t types.Type, at token.Pos) *pred {
	unknown := &pred{pos: at}
	n := kube.Named(t)
	if n == nil || types.IsInterface(n) {
		return unknown
	}
	obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, ps.pkg.Pkg, "Update")
	method, ok := obj.(*types.Func)
	if !ok {
		return unknown
	}
	if len(index) > 1 { // promoted from an embedded predicate; Funcs may have been filled in
		if st, ok := n.Underlying().(*types.Struct); ok {
			if path := fields[builtin(st.Field(index[0]).Type())]; path != "" {
				return &pred{op: opField, path: path, name: n.Obj().Name(), pos: at}
			}
		}
		return unknown
	}
	if n.Obj().Pkg() == ps.pkg.Pkg {
		return ps.byHand(ps.pkg.Own(ps.pkg.Prog.FuncValue(method.Origin())), n.Obj().Name(), at)
	}
	return ps.ofFact(method, n.Obj().Name(), at)
}

// ofFact is the predicate of which another package says something as a fact of fn.
func (ps predicates) ofFact(fn *types.Func, name string, at token.Pos) *pred {
	if s := ps.fact(fn); s != nil {
		return &pred{op: opSummary, summary: s, name: name, pos: at}
	}
	return &pred{pos: at}
}

// call is the predicate that a function makes.
func (ps predicates) call(call *ssa.Call, at token.Pos) *pred {
	unknown := &pred{pos: at}
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
	sym := kube.SymbolOf(callee)
	args := flow.Args(&call.Call)
	switch {
	case sym.Pkg == kube.Predicate && sym.Recv == "" && (sym.Name == "NewPredicateFuncs" || sym.Name == "NewTypedPredicateFuncs"):
		return ps.byHand(controllers.Function(ps.pkg, args[0]), "this predicate", at)
	case combining[sym] == opUnknown:
		return ps.ofFact(callee, callee.Name(), at)
	case len(args) == 0:
		return unknown
	}
	list, ok := args, true
	if callee.Signature().Variadic() {
		list, ok = controllers.Elements(args[len(args)-1])
		if combining[sym] == opOr {
			list = flow.Elements(args[len(args)-1]) // all of them
		}
	}
	if !ok || len(list) == 0 {
		return unknown
	}
	p := &pred{op: combining[sym], pos: at, name: sym.String()}
	for _, a := range list {
		p.list = append(p.list, ps.of(a, at))
	}
	return p
}

const capi = "sigs.k8s.io/cluster-api/util/predicates"

// combining are the functions that combine predicates, their last arguments.
var combining = map[kube.Symbol]predOp{
	{Pkg: kube.Predicate, Name: "And"}: opAnd, {Pkg: kube.Predicate, Name: "Or"}: opOr, {Pkg: kube.Predicate, Name: "Not"}: opNot,
	{Pkg: capi, Name: "All"}: opAnd, {Pkg: capi, Name: "TypedAll"}: opAnd, {Pkg: capi, Name: "Any"}: opOr, {Pkg: capi, Name: "TypedAny"}: opOr,
}

// returned is the predicate, or the one with the update function, that fn returns; nil where it returns none, or
// several.
func (ps predicates) returned(fn *ssa.Function) *pred {
	if fn.Signature.Results().Len() != 1 {
		return nil
	}
	t := fn.Signature.Results().At(0).Type()
	sig, isFunc := t.Underlying().(*types.Signature)
	if isFunc && !asks(sig, "Update") || !isFunc && !isPredicate(t) {
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
	if p.name == "this predicate" {
		p.name = flow.FuncName(fn)
	}
	return p
}

// isPredicate reports whether t is controller-runtime's interface of predicates, or implements it.
func isPredicate(t types.Type) bool {
	for _, name := range []string{"Create", "Update", "Delete", "Generic"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if m, ok := obj.(*types.Func); !ok || !asks(m.Signature(), name) {
			return false
		}
	}
	return true
}

// asks reports whether a function says of an event of that kind whether it matters.
func asks(sig *types.Signature, event string) bool {
	return sig.Params().Len() == 1 && kube.IsEvent(sig.Params().At(0).Type(), event) && sig.Results().Len() == 1 && flow.IsBool(sig.Results().At(0).Type())
}
