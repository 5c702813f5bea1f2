package eventfilter

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// An evaluation runs a filter on a hypothetical change. Conditions that the change decides are followed one way, all
// others both ways, so that what holds on every path holds for every such update.
type evaluation struct {
	change change
	// only is the one concrete type that the filter asserts its objects to have, nil where there are several.
	only   types.Type
	budget int // instructions and calls that are left
	depth  int
	// compared and called, if set, are told of the comparisons and calls in the outermost function.
	compared func(pos token.Pos, a, b value)
	called   func(call *ssa.Call, args []value)
	calls    map[*ssa.Function]bool // being evaluated
}

// verdict is what a filter may do with a change.
type verdict struct{ pass, drop bool }

// drops reports whether the filter surely drops the change.
func (v verdict) drops() bool { return v.drop && !v.pass }

// passes reports whether the filter surely lets the change through.
func (v verdict) passes() bool { return v.pass && !v.drop }

const (
	maxSteps = 20000
	maxDepth = 5
	maxPaths = 400 // paths of one function
)

// outcome is one way out of a function.
type outcome struct {
	results []value
	effect  truth // whether it did something that others can see
}

// judge says what fn may do with c. Its parameters have the given values. A function with a bool result is a predicate,
// any other one a handler, which drops what it does nothing about.
//
// Users set annotations and labels of objects that are on their way out, too: such a change is tried with both.
func judge(fn *ssa.Function, params []value, c change) verdict {
	v := judgeOne(fn, params, c)
	if c.ofMetadata() && c.deletion == no {
		c.deletion = yes
		w := judgeOne(fn, params, c)
		v.pass, v.drop = v.pass || w.pass, v.drop || w.drop
	}
	return v
}

func judgeOne(fn *ssa.Function, params []value, c change) verdict {
	ev := &evaluation{change: c, budget: maxSteps, calls: map[*ssa.Function]bool{}, only: onlyAsserted(fn)}
	outs, ok := ev.run(fn, params)
	if !ok || len(outs) == 0 {
		return verdict{true, true}
	}
	predicate := fn.Signature.Results().Len() == 1
	var v verdict
	for _, o := range outs {
		t := o.effect
		if predicate {
			t = truthValue(o.results[0])
		}
		v.pass = v.pass || t != no
		v.drop = v.drop || t != yes
	}
	return v
}

func truthValue(v value) truth {
	switch {
	case v.kind == boolValue:
		return v.truth
	case v.kind == constValue && v.konst != nil && v.konst.Kind() == constant.Bool:
		return truthOf(constant.BoolVal(v.konst))
	}
	return maybe
}

// frame is one path through a function.
type frame struct {
	fn     *ssa.Function
	params []value
	phis   map[*ssa.Phi]value
	calls  map[*ssa.Call]value
	effect truth
}

func (f *frame) fork() *frame {
	g := *f
	g.phis, g.calls = make(map[*ssa.Phi]value, len(f.phis)), make(map[*ssa.Call]value, len(f.calls))
	for k, v := range f.phis {
		g.phis[k] = v
	}
	for k, v := range f.calls {
		g.calls[k] = v
	}
	return &g
}

// run gives the ways out of fn; not ok where there were too many to follow.
func (ev *evaluation) run(fn *ssa.Function, params []value) (outs []outcome, ok bool) {
	if len(fn.Blocks) == 0 || ev.depth > maxDepth || ev.calls[fn] {
		return nil, false
	}
	ev.depth++
	ev.calls[fn] = true
	defer func() { ev.depth--; delete(ev.calls, fn) }()

	visits := map[*ssa.BasicBlock]int{}
	var walk func(f *frame, b, from *ssa.BasicBlock) bool
	walk = func(f *frame, b, from *ssa.BasicBlock) bool {
		if visits[b] >= 2 { // a loop: what the second round did not decide, the third one will not
			return true
		}
		visits[b]++
		defer func() { visits[b]-- }()
		for _, in := range b.Instrs {
			ev.budget--
			if ev.budget < 0 || len(outs) > maxPaths {
				return false
			}
			switch in := in.(type) {
			case *ssa.Phi:
				for i, p := range b.Preds {
					if p == from {
						f.phis[in] = ev.eval(f, in.Edges[i])
						break
					}
				}
			case *ssa.Call:
				ev.call(f, in)
			case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
				f.effect = yes
			case *ssa.Defer, *ssa.RunDefers:
				// A deferred call runs whatever is done; it unlocks or recovers.
			case *ssa.Store:
				if !ownVariable(in.Addr) {
					f.effect = yes
				}
			case *ssa.Return:
				o := outcome{effect: f.effect}
				for _, r := range in.Results {
					o.results = append(o.results, ev.eval(f, r))
				}
				outs = append(outs, o)
				return true
			case *ssa.If:
				t := truthValue(ev.eval(f, in.Cond))
				if t != no && !walk(f.fork(), b.Succs[0], b) {
					return false
				}
				if t != yes && !walk(f.fork(), b.Succs[1], b) {
					return false
				}
				return true
			case *ssa.Jump:
				return walk(f, b.Succs[0], b)
			case *ssa.Panic:
				return true
			}
		}
		return true
	}
	first := &frame{fn: fn, params: params, phis: map[*ssa.Phi]value{}, calls: map[*ssa.Call]value{}, effect: no}
	ok = walk(first, fn.Blocks[0], nil)
	return outs, ok
}

// ownVariable reports whether addr lies in a local variable.
func ownVariable(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return false
		}
	}
}

// eval is what is known of v on the path of f.
func (ev *evaluation) eval(f *frame, v ssa.Value) value {
	ev.budget--
	if ev.budget < 0 {
		return value{}
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			if !nilable(v.Type()) {
				return value{}
			}
			return value{kind: constValue}
		}
		if v.Value.Kind() == constant.Bool {
			return boolean(truthOf(constant.BoolVal(v.Value)))
		}
		return value{kind: constValue, konst: v.Value}
	case *ssa.Parameter:
		for i, p := range f.fn.Params {
			if p == v && i < len(f.params) {
				return f.params[i]
			}
		}
	case *ssa.Phi:
		return f.phis[v]
	case *ssa.Call:
		return f.calls[v]
	case *ssa.Extract:
		if t := ev.eval(f, v.Tuple); v.Index < len(t.tuple) {
			return t.tuple[v.Index]
		}
	case *ssa.ChangeType:
		return ev.eval(f, v.X)
	case *ssa.ChangeInterface:
		return ev.eval(f, v.X)
	case *ssa.MakeInterface:
		return ev.eval(f, v.X)
	case *ssa.Convert:
		return ev.eval(f, v.X)
	case *ssa.TypeAssert:
		return ev.assert(f, v)
	case *ssa.FieldAddr:
		return ev.field(ev.addr(f, v.X), flow.Field(v.X.Type(), v.Field))
	case *ssa.Field:
		return ev.field(ev.eval(f, v.X), flow.Field(v.X.Type(), v.Field))
	case *ssa.Alloc:
		return ev.addr(f, v)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return ev.addr(f, v.X)
		case token.NOT:
			return boolean(truthValue(ev.eval(f, v.X)).not())
		}
	case *ssa.BinOp:
		return ev.compare(f, v)
	case *ssa.Lookup:
		return ev.lookup(f, v)
	case *ssa.Index:
		return derived("index", ev.eval(f, v.X), ev.eval(f, v.Index))
	case *ssa.IndexAddr:
		return derived("index", ev.eval(f, v.X), ev.eval(f, v.Index))
	case *ssa.Slice:
		if v.Low == nil && v.High == nil {
			return ev.eval(f, v.X)
		}
	}
	return value{}
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// addr is what the variable at x holds.
func (ev *evaluation) addr(f *frame, x ssa.Value) value {
	alloc, ok := x.(*ssa.Alloc)
	if !ok {
		if _, global := x.(*ssa.Global); global {
			return value{}
		}
		return ev.eval(f, x)
	}
	var stored ssa.Value
	edited := false
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(alloc) || stored != nil {
				return value{}
			}
			stored = r.Val
		case *ssa.MakeClosure:
			if flow.WritesBinding(r, alloc) {
				return value{}
			}
		case *ssa.FieldAddr:
			for _, r := range *r.Referrers() {
				if _, ok := r.(*ssa.Store); ok {
					edited = true
				}
			}
		}
	}
	if stored == nil {
		return value{}
	}
	v := ev.eval(f, stored)
	if edited && v.kind == placeValue {
		v.copy = true
	}
	return v
}

// field is field fld of v.
func (ev *evaluation) field(v value, fld *types.Var) value {
	if fld == nil {
		return value{}
	}
	switch v.kind {
	case eventValue:
		switch fld.Name() {
		case "ObjectOld", "MetaOld":
			return value{kind: placeValue, side: older}
		case "ObjectNew", "MetaNew", "Object", "Meta":
			return value{kind: placeValue, side: newer}
		}
	case placeValue:
		v.path = step(v.path, fld)
		return v
	case derivedValue:
		return derived("."+fld.Name(), v)
	}
	return value{}
}

func derived(op string, args ...value) value {
	for _, a := range args {
		switch a.kind {
		case placeValue, derivedValue, constValue:
		default:
			return value{}
		}
	}
	return value{kind: derivedValue, op: op, args: args}
}

// assert is the value of a type assertion of an event's object; others are not decided.
func (ev *evaluation) assert(f *frame, a *ssa.TypeAssert) value {
	x := ev.eval(f, a.X)
	holds := maybe
	if x.kind == placeValue && x.path == "" {
		_, iface := a.AssertedType.Underlying().(*types.Interface)
		switch {
		case iface:
		case ev.change.foreign:
			holds = no
		case ev.change.kind != nil:
			holds = truthOf(sameType(ev.change.kind, a.AssertedType))
		case ev.only != nil:
			holds = yes
		}
	}
	if !a.CommaOk {
		return x
	}
	return value{tuple: []value{x, boolean(holds)}}
}

// sameType compares defined types by their names, as one package may have been loaded twice.
func sameType(a, b types.Type) bool {
	m, n := kube.Named(a), kube.Named(b)
	if m == nil || n == nil {
		return types.Identical(a, b)
	}
	return m.Obj().Name() == n.Obj().Name() && m.Obj().Pkg() != nil && n.Obj().Pkg() != nil && m.Obj().Pkg().Path() == n.Obj().Pkg().Path()
}

// onlyAsserted is the one concrete type that fn asserts anything to have, nil where there is none or more than one.
func onlyAsserted(fn *ssa.Function) types.Type {
	var only types.Type
	for in := range flow.Instrs(fn) {
		a, ok := in.(*ssa.TypeAssert)
		if !ok {
			continue
		}
		if _, iface := a.AssertedType.Underlying().(*types.Interface); iface || kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown") {
			continue
		}
		if only != nil && !sameType(only, a.AssertedType) {
			return nil
		}
		only = a.AssertedType
	}
	return only
}

// compare is the value of a comparison.
func (ev *evaluation) compare(f *frame, b *ssa.BinOp) value {
	x, y := ev.eval(f, b.X), ev.eval(f, b.Y)
	eq := ev.change.equal(x, y)
	if ev.compared != nil && ev.depth == 1 {
		ev.compared(b.Pos(), x, y)
	}
	switch b.Op {
	case token.EQL:
		return boolean(eq)
	case token.NEQ:
		return boolean(eq.not())
	case token.LSS, token.GTR:
		if eq == yes && x.kind != constValue {
			return boolean(no)
		}
		return boolean(maybe)
	case token.LEQ, token.GEQ:
		if eq == yes && x.kind != constValue {
			return boolean(yes)
		}
		return boolean(maybe)
	}
	return derived(b.Op.String(), x, y)
}

func (ev *evaluation) lookup(f *frame, l *ssa.Lookup) value {
	m, k := ev.eval(f, l.X), ev.eval(f, l.Index)
	v := derived("lookup", m, k)
	if m.kind == placeValue && k.kind == constValue && k.konst != nil && k.konst.Kind() == constant.String {
		v = m
		v.path = keyed(m.path, constant.StringVal(k.konst))
	}
	if l.CommaOk {
		return value{tuple: []value{v, derived("has", v)}}
	}
	return v
}

// call evaluates a call, and notes what is known of its result and whether it has an effect.
func (ev *evaluation) call(f *frame, call *ssa.Call) {
	v, effect := ev.result(f, call)
	f.calls[call] = v
	if effect == yes || effect == maybe && f.effect == no {
		f.effect = effect
	}
}

func (ev *evaluation) result(f *frame, call *ssa.Call) (v value, effect truth) {
	common := &call.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "delete", "clear", "close", "copy", "print", "println", "panic":
			return value{}, yes
		}
		return derived(b.Name(), ev.evalAll(f, common.Args)...), no
	}
	callee := flow.Callee(common)
	all := ev.evalAll(f, flow.AllArgs(common))
	if ev.called != nil && ev.depth == 1 {
		ev.called(call, all)
		if ev.compared != nil && callee != nil && deepEqual(callee) && len(all) >= 2 {
			ev.compared(call.Pos(), all[len(all)-2], all[len(all)-1])
		}
	}
	if callee != nil && isCopy(callee) && len(all) == 1 {
		all[0].copy = true // what is done to parts of it is not followed, wherever it is made
		return all[0], no
	}
	if fn := flow.StaticCallee(common); fn != nil && len(fn.Blocks) > 0 {
		if outs, ok := ev.run(fn, all); ok && len(outs) > 0 {
			return joinOutcomes(outs)
		}
		return value{}, maybe
	}
	if callee == nil {
		return value{}, yes
	}
	if v, ok := ev.known(callee, all); ok {
		return v, no
	}
	if kube.Logs(callee) {
		return value{}, no
	}
	v = derived(callee.FullName(), all...)
	if n := call.Call.Signature().Results().Len(); n > 1 {
		t := value{}
		for i := range n {
			t.tuple = append(t.tuple, derived("result "+string(rune('0'+i)), v))
		}
		v = t
	}
	return v, effectOf(callee)
}

func joinOutcomes(outs []outcome) (v value, effect truth) {
	effect = outs[0].effect
	for i, o := range outs {
		w := value{}
		if len(o.results) == 1 {
			w = o.results[0]
		} else {
			w.tuple = o.results
		}
		if i == 0 {
			v = w
		} else {
			v = join(v, w)
		}
		if o.effect != effect {
			effect = maybe
		}
	}
	return v, effect
}

func (ev *evaluation) evalAll(f *frame, vs []ssa.Value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = ev.eval(f, v)
	}
	return out
}

func isCopy(fn *types.Func) bool { return fn.Name() == "DeepCopy" || fn.Name() == "DeepCopyObject" }

// known is the result of a function out of sight whose meaning is known.
func (ev *evaluation) known(fn *types.Func, args []value) (value, bool) {
	if path, ok := getters[fn.Name()]; ok && len(args) == 1 && args[0].kind == placeValue && (args[0].path == "" || args[0].path == "metadata") {
		v := args[0]
		v.path = path
		return v, true
	}
	switch {
	case fn.Name() == "IsZero" && len(args) == 1 && args[0].kind == placeValue:
		if t := ev.change.isNil(args[0]); t != maybe {
			return boolean(t), true
		}
		return derived("IsZero", args[0]), true
	case deepEqual(fn) && len(args) >= 2:
		return boolean(ev.change.equal(args[len(args)-2], args[len(args)-1])), true
	case fn.Name() == "GetControllerOf" && len(args) == 1 && args[0].kind == placeValue && fn.Pkg() != nil && kube.SamePackage(fn.Pkg().Path(), kube.MetaV1):
		v := args[0]
		v.path = "metadata.ownerReferences[controller]"
		return v, true
	}
	return value{}, false
}

// deepEqual reports whether fn says that its last two arguments, one of which may be its receiver, are equal.
func deepEqual(fn *types.Func) bool {
	switch fn.Name() {
	case "DeepEqual", "DeepDerivative", "Equal", "Equals", "EqualFunc", "DeepEqualWithNilDifferentFromEmpty":
	default:
		return false
	}
	sig, ok := fn.Type().(*types.Signature)
	return ok && sig.Results().Len() == 1 && flow.IsBool(sig.Results().At(0).Type())
}

// lookers are packages whose functions change nothing.
var lookers = []string{
	"sync", "strings", "strconv", "slices", "maps", "reflect", "sort", "time", "bytes", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/labels",
	"k8s.io/apimachinery/pkg/api/equality", "k8s.io/apimachinery/pkg/api/meta", "k8s.io/apimachinery/pkg/types", "k8s.io/utils/ptr", "k8s.io/utils/pointer",
	"github.com/google/go-cmp/cmp", "k8s.io/apimachinery/pkg/util/sets", "k8s.io/apimachinery/pkg/conversion", "github.com/samber/lo",
	"k8s.io/apimachinery/pkg/api/errors", "k8s.io/apimachinery/pkg/runtime/schema", "errors", "fmt", "context", "math", "regexp",
}

// effectOf is what others see of a call of fn, whose body is not in sight: nothing, of packages, clients and listers that only
// look; perhaps something, of a name that promises no more than a look; and something else.
func effectOf(fn *types.Func) truth {
	if fn.Pkg() == nil || onlyLooks(fn) {
		return no // error.Error
	}
	if w := words.Of(fn.Name()); len(w) > 0 && fn.Type().(*types.Signature).Results().Len() > 0 && slices.Contains(looking, w[0]) {
		return maybe
	}
	return yes
}

// looking are the first words of names that promise no more than a look. GetOrCreate shows that not all keep it.
var looking = []string{"get", "is", "has", "list", "find", "contains", "parse", "string", "len", "name", "kind"}

// onlyLooks reports whether a call of fn has no effect.
func onlyLooks(fn *types.Func) bool {
	sym := kube.SymbolOf(fn)
	sig := fn.Type().(*types.Signature)
	if slices.Contains(lookers, sym.Pkg) {
		return true
	}
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); kube.IsType(t, kube.MetaV1, "GetOptions") || kube.IsType(t, kube.MetaV1, "ListOptions") {
			return true // of a clientset
		}
	}
	switch sym.Pkg {
	case kube.Client:
		return sym.Recv == "" || sym.Recv == "Reader" // ObjectKeyFromObject, IgnoreNotFound
	case kube.Cache:
		return sigKey(sym.Name) || (sym.Recv == "Store" || sym.Recv == "Indexer") && slices.Contains(storeReads, sym.Name)
	}
	return sig.Recv() != nil && (sym.Name == "Get" || sym.Name == "List") && isLister(sig.Recv().Type())
}

// storeReads are the methods of an informer's store that read it.
var storeReads = []string{"Get", "GetByKey", "List", "ListKeys", "Index", "IndexKeys", "ByIndex", "ListIndexFuncValues", "GetIndexers"}

// isLister reports whether t is one of the listers that are generated for each kind: its List takes a selector of labels.
func isLister(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "List")
	list, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	params := list.Type().(*types.Signature).Params()
	return params.Len() == 1 && kube.IsType(params.At(0).Type(), "k8s.io/apimachinery/pkg/labels", "Selector")
}

func sigKey(name string) bool {
	switch name {
	case "MetaNamespaceKeyFunc", "DeletionHandlingMetaNamespaceKeyFunc", "ObjectToName", "DeletionHandlingObjectToName", "SplitMetaNamespaceKey", "MetaObjectToName":
		return true
	}
	return false
}
