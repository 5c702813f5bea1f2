package eventfilter

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// pred is a predicate of controller-runtime, as far as it is known what it says of updates.
type pred struct {
	op   predOp
	list []*pred // of and, or and not
	// update is the function of a predicate that is written by hand; nil where it has none, and so lets everything
	// through. It takes an event, or an object.
	update  *ssa.Function
	summary *filterFact // what another package says of it
	name    string      // for messages
	pos     token.Pos
}

type predOp uint8

const (
	opUnknown predOp = iota
	opAnd
	opOr
	opNot
	opGeneration
	opResourceVersion
	opLabels
	opAnnotations
	opFuncs
	opSummary
)

// predicates finds the predicates that values hold.
type predicates struct {
	pkg  *program.Program
	fact func(*types.Func) *filterFact // what is known of the predicate that a function of another package returns
}

// of is the predicate that v holds.
func (ps predicates) of(v ssa.Value, at token.Pos, depth int) *pred {
	unknown := &pred{op: opUnknown, pos: at}
	if depth > 8 {
		return unknown
	}
	v = flow.Unwrap(v)
	if p := v.Pos(); p.IsValid() {
		at = p
	}
	if known := builtin(v.Type()); known != opUnknown {
		return &pred{op: known, name: typeName(v.Type()), pos: at}
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return unknown
		}
		switch a := x.X.(type) {
		case *ssa.Alloc:
			if isFuncs(a.Type()) {
				return ps.funcs(a, at)
			}
			if s := storedOnce(a); s != nil {
				return ps.of(s, at, depth+1)
			}
			return ps.custom(v.Type(), at)
		case *ssa.Global:
			if isFuncs(a.Type()) {
				return ps.funcs(a, at)
			}
			if s := flow.Initial(a); s != nil {
				return ps.of(s, at, depth+1)
			}
			return ps.custom(v.Type(), at)
		case *ssa.FreeVar:
			if b := flow.Binding(a); b != nil {
				if s := storedOnce(b); s != nil {
					return ps.of(s, at, depth+1)
				}
			}
		}
		return ps.custom(v.Type(), at)
	case *ssa.Alloc: // &T{}
		if isFuncs(x.Type()) {
			return ps.funcs(x, at)
		}
		return ps.custom(x.Type(), at)
	case *ssa.Call:
		return ps.call(x, at, depth)
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

// all are the functions of the package, and its initialiser.
func (ps predicates) all() []*ssa.Function {
	all := ps.pkg.Funcs
	if init := ps.pkg.Func("init"); init != nil {
		all = append(all[:len(all):len(all)], init)
	}
	return all
}

// builtin is the kind of the predicate types of controller-runtime that look at one field.
func builtin(t types.Type) predOp {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil || !kube.SamePackage(n.Obj().Pkg().Path(), kube.Predicate) {
		return opUnknown
	}
	switch strings.TrimPrefix(n.Obj().Name(), "Typed") {
	case "GenerationChangedPredicate":
		return opGeneration
	case "ResourceVersionChangedPredicate":
		return opResourceVersion
	case "LabelChangedPredicate":
		return opLabels
	case "AnnotationChangedPredicate":
		return opAnnotations
	}
	return opUnknown
}

func isFuncs(t types.Type) bool {
	return kube.IsType(t, kube.Predicate, "Funcs") || kube.IsType(t, kube.Predicate, "TypedFuncs")
}

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
	p := &pred{op: opFuncs, name: "this predicate", pos: at}
	set := func(v ssa.Value) {
		if c, ok := v.(*ssa.Const); ok && c.Value == nil {
			return
		}
		fns := functions(v, ps.pkg, 0)
		if len(fns) != 1 || len(fns[0].Blocks) == 0 {
			p.op = opUnknown
			if call, ok := flow.Resolve(v).(*ssa.Call); ok {
				callee := flow.Callee(&call.Call)
				if s := ps.fact(callee); s != nil {
					p.op, p.summary, p.name = opSummary, s, callee.Name()
				}
			}
			return
		}
		p.update = fns[0]
		if p.update.Pos().IsValid() {
			p.pos = p.update.Pos()
		}
		if p.update.Parent() == nil {
			p.name = flow.FuncName(p.update)
		}
	}
	stores := func(fa *ssa.FieldAddr) {
		if f := flow.Field(fa.X.Type(), fa.Field); f == nil || f.Name() != "UpdateFunc" {
			return
		}
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(fa) {
				set(st.Val)
			}
		}
	}
	if g, ok := addr.(*ssa.Global); ok {
		for _, fn := range ps.all() {
			for in := range flow.Instrs(fn) {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					if in.X == ssa.Value(g) {
						stores(in)
					}
				case *ssa.Store:
					if in.Addr == ssa.Value(g) {
						return ps.of(in.Val, at, 4)
					}
				}
			}
		}
		return p
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			stores(r)
		case *ssa.Store:
			if r.Addr == addr {
				return ps.of(r.Val, at, 4)
			}
		}
	}
	return p
}

// custom is a value of a predicate type of this package, which has an Update method or inherits one.
func (ps predicates) custom(t types.Type, at token.Pos) *pred {
	unknown := &pred{op: opUnknown, pos: at}
	n := kube.Named(t)
	if n == nil {
		return unknown
	}
	if _, iface := n.Underlying().(*types.Interface); iface {
		return unknown
	}
	obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, ps.pkg.Pkg, "Update")
	method, ok := obj.(*types.Func)
	if !ok {
		return unknown
	}
	if len(index) > 1 { // promoted from an embedded predicate
		st, ok := n.Underlying().(*types.Struct)
		if !ok {
			return unknown
		}
		embedded := st.Field(index[0]).Type()
		if known := builtin(embedded); known != opUnknown {
			return &pred{op: known, name: n.Obj().Name(), pos: at}
		}
		return unknown // Funcs may have been filled in
	}
	if n.Obj().Pkg() != ps.pkg.Pkg {
		if s := ps.fact(method); s != nil {
			return &pred{op: opSummary, summary: s, name: n.Obj().Name(), pos: at}
		}
		return unknown
	}
	f := ps.pkg.Prog.FuncValue(method.Origin())
	if f == nil || len(f.Blocks) == 0 {
		return unknown
	}
	return &pred{op: opFuncs, update: f, name: n.Obj().Name(), pos: f.Pos()}
}

// call is the predicate that a function makes.
func (ps predicates) call(call *ssa.Call, at token.Pos, depth int) *pred {
	unknown := &pred{op: opUnknown, pos: at}
	callee := flow.Callee(&call.Call)
	if callee == nil {
		return unknown
	}
	sym := kube.SymbolOf(callee)
	args := flow.Args(&call.Call)
	if sym.Pkg == kube.Predicate && sym.Recv == "" {
		switch sym.Name {
		case "And", "Or", "Not":
			p := &pred{op: opAnd, pos: at, name: "predicate." + sym.Name}
			var list []ssa.Value
			switch sym.Name {
			case "Not":
				p.op, list = opNot, args
			default:
				if sym.Name == "Or" {
					p.op = opOr
				}
				if len(args) != 1 {
					return unknown
				}
				elements, ok := elementsOf(args[0], 0)
				if !ok || len(elements) == 0 || sym.Name == "Or" && flow.Elements(args[0]) == nil {
					return unknown
				}
				list = elements
			}
			for _, a := range list {
				p.list = append(p.list, ps.of(a, at, depth+1))
			}
			return p
		case "NewPredicateFuncs", "NewTypedPredicateFuncs":
			fns := functions(args[0], ps.pkg, 0)
			if len(fns) == 1 && len(fns[0].Blocks) > 0 {
				return &pred{op: opFuncs, update: fns[0], name: "this predicate", pos: fns[0].Pos()}
			}
		}
		return unknown
	}
	if fn := flow.StaticCallee(&call.Call); fn != nil && len(fn.Blocks) > 0 {
		if depth < 6 {
			if p := ps.returned(fn); p != nil {
				return p
			}
		}
		return unknown
	}
	if op := capi(sym); op != opUnknown && len(args) > 1 {
		p := &pred{op: op, pos: at, name: "predicates." + sym.Name}
		elements := flow.Elements(args[len(args)-1])
		for _, a := range elements {
			p.list = append(p.list, ps.of(a, at, depth+1))
		}
		if elements != nil {
			return p
		}
		return unknown
	}
	if s := ps.fact(callee); s != nil {
		return &pred{op: opSummary, summary: s, name: callee.Name(), pos: at}
	}
	return unknown
}

// returned is the predicate, or the one with the update function, that fn returns; nil where it returns none, or
// several.
func (ps predicates) returned(fn *ssa.Function) *pred {
	if fn.Signature.Results().Len() != 1 {
		return nil
	}
	t := fn.Signature.Results().At(0).Type()
	sig, isFunc := t.Underlying().(*types.Signature)
	if isFunc {
		if sig.Params().Len() != 1 || !kube.IsEvent(sig.Params().At(0).Type(), "Update") || sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) {
			return nil
		}
	} else if !isPredicate(t) {
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
		if f := flow.FuncValue(only); f != nil && len(f.Blocks) > 0 {
			return &pred{op: opFuncs, update: f, name: flow.FuncName(fn), pos: f.Pos()}
		}
		return nil
	}
	p := ps.of(only, fn.Pos(), 3)
	if p.name == "this predicate" {
		p.name = flow.FuncName(fn)
	}
	return p
}

// isPredicate reports whether t is controller-runtime's interface of predicates, or implements it.
func isPredicate(t types.Type) bool {
	for _, name := range []string{"Create", "Update", "Delete", "Generic"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		m, ok := obj.(*types.Func)
		if !ok {
			return false
		}
		sig := m.Type().(*types.Signature)
		if sig.Params().Len() != 1 || !kube.IsEvent(sig.Params().At(0).Type(), name) || sig.Results().Len() != 1 || !flow.IsBool(sig.Results().At(0).Type()) {
			return false
		}
	}
	return true
}

// capi knows the functions of cluster-api that combine predicates, the last of their arguments.
func capi(sym kube.Symbol) predOp {
	if sym.Pkg != "sigs.k8s.io/cluster-api/util/predicates" {
		return opUnknown
	}
	switch sym.Name {
	case "All", "TypedAll":
		return opAnd
	case "Any", "TypedAny":
		return opOr
	}
	return opUnknown
}

// judge says what p may do with an update.
func (p *pred) judge(c change) verdict {
	field := func(path string) verdict {
		switch c.differs(path) {
		case yes:
			return verdict{pass: true}
		case no:
			return verdict{drop: true}
		}
		return verdict{true, true}
	}
	switch p.op {
	case opAnd:
		v := verdict{pass: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass && w.pass, v.drop || w.drop}
		}
		return v
	case opOr:
		v := verdict{drop: true}
		for _, q := range p.list {
			w := q.judge(c)
			v = verdict{v.pass || w.pass, v.drop && w.drop}
		}
		return v
	case opNot:
		v := p.list[0].judge(c)
		return verdict{v.drop, v.pass}
	case opGeneration:
		return field(generationPath)
	case opResourceVersion:
		return field(resourceVersionPath)
	case opLabels:
		return field(labelsPath)
	case opAnnotations:
		return field(annotationsPath)
	case opSummary:
		if p.summary.drops(c) {
			return verdict{drop: true}
		}
	case opFuncs:
		if p.update == nil {
			return verdict{pass: true}
		}
		return judge(p.update, inputs(p.update), c)
	}
	return verdict{true, true}
}

// inputs are the values of the parameters of a filter: events, objects, and unknown ones. Of two objects, the first is
// the old one.
func inputs(fn *ssa.Function) []value {
	values := make([]value, len(fn.Params))
	var objects []int
	first := 0
	if fn.Signature.Recv() != nil {
		first = 1
	}
	for i := first; i < len(fn.Params); i++ {
		t := fn.Params[i].Type()
		switch {
		case kube.IsEvent(t, ""):
			values[i] = value{kind: eventValue}
			return values
		case mayBeObject(t):
			objects = append(objects, i)
		}
	}
	switch len(objects) {
	case 1:
		values[objects[0]] = value{kind: placeValue, side: newer}
	case 2:
		values[objects[0]] = value{kind: placeValue, side: older}
		values[objects[1]] = value{kind: placeValue, side: newer}
	}
	return values
}

// mayBeObject reports whether a parameter of type t may be an object of the cluster.
func mayBeObject(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param || isAny(t) || kube.IsObject(t)
}

// conjuncts are the predicates that p asks one after the other.
func (p *pred) conjuncts() []*pred {
	if p.op != opAnd {
		return []*pred{p}
	}
	var all []*pred
	for _, q := range p.list {
		all = append(all, q.conjuncts()...)
	}
	return all
}

// understood reports whether it is known what p says of updates.
func (p *pred) understood() bool {
	for _, q := range p.list {
		if !q.understood() {
			return false
		}
	}
	return p.op != opUnknown
}
