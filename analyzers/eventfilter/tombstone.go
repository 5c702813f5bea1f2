package eventfilter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// tombstones looks for handlers of deletions that do not expect a cache.DeletedFinalStateUnknown in the place of the
// object. A client-go informer sends one when it missed the deletion itself.
type tombstones struct {
	pass     *analysis.Pass
	pkg      *program.Program
	reported map[token.Pos]bool
}

// entry is a function that a client-go informer calls with a deleted object, or with its tombstone.
type entry struct {
	fn  *ssa.Function
	obj *ssa.Parameter
	// role is how the function was registered, and at where.
	role string
	at   token.Pos
	// dropsAreFine: the object is not wanted, so that only a panic hurts.
	dropsAreFine bool
}

func (t *tombstones) handlers() {
	all := t.pkg.Funcs
	if init := t.pkg.Func("init"); init != nil {
		all = append(all[:len(all):len(all)], init)
	}
	for _, fn := range all {
		for in := range flow.Instrs(fn) {
			if st, ok := in.(*ssa.Store); ok {
				t.registered(st)
			}
		}
	}
	for _, fn := range t.pkg.Funcs {
		if fn.Name() == "OnDelete" && len(fn.Params) == 2 && isAny(fn.Params[1].Type()) && isHandlerType(fn.Signature.Recv().Type()) {
			t.check(entry{fn: fn, obj: fn.Params[1], role: flow.FuncName(fn), at: fn.Pos()})
		}
	}
	// A function that looks for a tombstone gets some, whoever registers it, perhaps another package.
	for _, fn := range t.pkg.Funcs {
		for _, p := range fn.Params {
			if isAny(p.Type()) && fn.Signature.Results().Len() == 0 && expectsTombstone(fn, p) {
				t.check(entry{fn: fn, obj: p, role: flow.FuncName(fn), at: fn.Pos()})
			}
		}
	}
}

// expectsTombstone reports whether fn asserts p to be a tombstone, or a pointer to one.
func expectsTombstone(fn *ssa.Function, p *ssa.Parameter) bool {
	for in := range flow.Instrs(fn) {
		if a, ok := in.(*ssa.TypeAssert); ok && raw(a.X) == ssa.Value(p) && kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown") {
			return true
		}
	}
	return false
}

// registered checks the function that st puts into the field DeleteFunc or FilterFunc of a handler.
func (t *tombstones) registered(st *ssa.Store) {
	field, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	v := flow.Field(field.X.Type(), field.Field)
	if v == nil {
		return
	}
	owner := field.X.Type()
	filter := false
	switch {
	case v.Name() == "DeleteFunc" && (kube.IsType(owner, kube.Cache, "ResourceEventHandlerFuncs") || kube.IsType(owner, kube.Cache, "ResourceEventHandlerDetailedFuncs")):
		if t.behindFilter(field.X) {
			return // no tombstone gets there; the filter is told
		}
	case v.Name() == "FilterFunc" && kube.IsType(owner, kube.Cache, "FilteringResourceEventHandler"):
		filter = true
	default:
		return
	}
	for _, fn := range functions(st.Val, t.pkg, 0) {
		if len(fn.Blocks) == 0 || len(fn.Params) == 0 || fn.Pkg != t.pkg.Package {
			continue
		}
		obj := fn.Params[len(fn.Params)-1]
		if !isAny(obj.Type()) {
			continue
		}
		t.check(entry{fn, obj, v.Name(), flow.Pos(st), filter && !wantsDeletes(field.X)})
	}
}

// functions are the functions that v can hold, as far as is known: a literal, a named function, a method value, or
// what a function of this package returns.
func functions(v ssa.Value, pkg *program.Program, depth int) []*ssa.Function {
	v = flow.Resolve(v)
	if fn := flow.FuncValue(v); fn != nil {
		if fn.Parent() == nil && fn.Synthetic != "" {
			if obj := flow.Object(fn); obj != nil {
				if m := fn.Prog.FuncValue(obj); m != nil {
					fn = m
				}
			}
		}
		return []*ssa.Function{fn}
	}
	call, ok := v.(*ssa.Call)
	if !ok || depth > 2 {
		return nil
	}
	maker := flow.StaticCallee(&call.Call)
	if maker == nil || maker.Pkg != pkg.Package {
		return nil
	}
	var all []*ssa.Function
	for ret := range flow.Returns(maker) {
		if len(ret.Results) == 1 {
			all = append(all, functions(ret.Results[0], pkg, depth+1)...)
		}
	}
	return all
}

// wantsDeletes reports whether the FilteringResourceEventHandler at addr may hand deletions on. It does not where its
// Handler is a literal without a DeleteFunc.
func wantsDeletes(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok || flow.Field(field.X.Type(), field.Field).Name() != "Handler" {
			continue
		}
		for _, r := range *field.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(field) {
				continue
			}
			v := flow.Unwrap(st.Val)
			if load, ok := v.(*ssa.UnOp); ok {
				v = load.X
			}
			lit, ok := v.(*ssa.Alloc)
			if !ok || !kube.IsType(lit.Type(), kube.Cache, "ResourceEventHandlerFuncs") && !kube.IsType(lit.Type(), kube.Cache, "ResourceEventHandlerDetailedFuncs") {
				return true
			}
			for _, r := range *lit.Referrers() {
				if f, ok := r.(*ssa.FieldAddr); ok && flow.Field(f.X.Type(), f.Field).Name() == "DeleteFunc" {
					return true
				}
			}
			return false
		}
	}
	return true
}

// problem is one way in which a handler goes wrong on a tombstone.
type problem struct {
	pos    token.Pos
	text   string // what happens, after the name of the handler
	panics bool
	// sure: it goes wrong whatever else looks at the object.
	sure bool
	// fn is the function that goes wrong, obj its parameter. instead replaces the name at pos, if that is all it takes.
	fn      *ssa.Function
	obj     ssa.Value
	instead string
}

func (t *tombstones) check(e entry) {
	problems, _ := t.follow(e.fn, e.obj, map[*ssa.Function]bool{}, 0)
	for _, p := range problems {
		if t.reported[p.pos] || e.dropsAreFine && !p.panics {
			continue
		}
		t.reported[p.pos] = true
		rule.Report(t.pass, rule.Finding{
			Pos: p.pos, Sub: "tombstone",
			Message: fmt.Sprintf("%s (line %d) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and %s", e.role, rule.Line(t.pass, e.at), p.text),
			Related: []analysis.RelatedInformation{{Pos: e.at, Message: e.role + " is called for deletions here"}},
			Fixes:   t.fixes(p),
		})
		return // one a handler
	}
}

// follow looks at what fn does with obj, and says whether a tombstone may be taken care of: a look at it, or a way out
// of sight.
func (t *tombstones) follow(fn *ssa.Function, obj ssa.Value, seen map[*ssa.Function]bool, depth int) (found []problem, handled bool) {
	if seen[fn] || depth > 4 {
		return nil, true
	}
	seen[fn] = true
	defer delete(seen, fn)

	var uses []ssa.Instruction // of obj, in fn and its literals
	var collect func(f *ssa.Function)
	collect = func(f *ssa.Function) {
		for in := range flow.Instrs(f) {
			for _, op := range in.Operands(nil) {
				if *op != nil && raw(*op) == obj {
					uses = append(uses, in)
					break
				}
			}
		}
		for _, anon := range f.AnonFuncs {
			collect(anon)
		}
	}
	collect(fn)

	var handlers []ssa.Instruction // instructions that may take care of the tombstone
	var asserts []*ssa.TypeAssert
	var pointers []problem // assertions to a pointer to a tombstone
	expected := false      // there is one to the tombstone itself
	for _, in := range uses {
		switch in := in.(type) {
		case *ssa.TypeAssert:
			switch {
			case kube.IsType(in.AssertedType, kube.Cache, "DeletedFinalStateUnknown"):
				if _, ptr := types.Unalias(in.AssertedType).(*types.Pointer); ptr {
					pointers = append(pointers, problem{pos: in.Pos(), text: "*cache.DeletedFinalStateUnknown never matches it: the informer sends the value", panics: !in.CommaOk, sure: true})
				} else {
					handlers = append(handlers, in)
					expected = true
				}
			default:
				asserts = append(asserts, in)
			}
		case ssa.CallInstruction:
			f, h := t.given(in, obj, seen, depth)
			found = append(found, f...)
			if h {
				handlers = append(handlers, in)
			}
		case *ssa.Phi, *ssa.Send, *ssa.MapUpdate, *ssa.Return:
			handlers = append(handlers, in)
		case *ssa.Store:
			if in.Val != nil && raw(in.Val) == obj && !local(in.Addr) {
				handlers = append(handlers, in)
			}
		case *ssa.BinOp, *ssa.If, *ssa.DebugRef, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.UnOp:
		case *ssa.MakeClosure: // the uses inside were collected
		default:
			handlers = append(handlers, in)
		}
	}
	if !expected {
		found = append(found, pointers...)
	}
	for _, a := range asserts {
		if basic(a.AssertedType) || anyReaches(handlers, a) {
			continue
		}
		want := types.TypeString(a.AssertedType, func(p *types.Package) string { return p.Name() })
		switch {
		case !a.CommaOk:
			if guarded(a, asserts) {
				continue
			}
			found = append(found, problem{pos: a.Pos(), text: "the assertion to " + want + " panics on it", panics: true, sure: true, fn: fn, obj: obj})
		case drops(a, asserts, handlers, depth > 0), depth == 0 && answers(a):
			found = append(found, problem{pos: a.Pos(), text: "the object is dropped, as it is not " + want, sure: true, fn: fn, obj: obj})
		}
	}
	if len(handlers) > 0 {
		// Whatever is dropped was looked at in another way; what panics, or matches nothing, before that was not.
		var hard []problem
		for _, p := range found {
			if p.sure {
				hard = append(hard, p)
			}
		}
		return hard, true
	}
	return found, false
}

// given is follow for a call that has obj among its arguments.
func (t *tombstones) given(call ssa.CallInstruction, obj ssa.Value, seen map[*ssa.Function]bool, depth int) ([]problem, bool) {
	common := call.Common()
	callee := flow.Callee(common)
	sym := kube.SymbolOf(callee)
	switch {
	case sym == kube.Symbol{Pkg: kube.Cache, Name: "MetaNamespaceKeyFunc"},
		sym == kube.Symbol{Pkg: kube.Cache, Name: "MetaObjectToName"},
		sym == kube.Symbol{Pkg: kube.Cache, Name: "ObjectToName"}:
		return []problem{{pos: call.Pos(), text: "cache." + sym.Name + " fails on it: cache." + right(sym.Name) + " does not", instead: right(sym.Name)}}, false
	case sym == kube.Symbol{Pkg: "k8s.io/apimachinery/pkg/api/meta", Name: "Accessor"}:
		return []problem{{pos: call.Pos(), text: "meta.Accessor fails on it", fn: call.Parent(), obj: obj}}, false
	case sym == kube.Symbol{Pkg: kube.Cache, Name: "DeletionHandlingMetaNamespaceKeyFunc"},
		sym == kube.Symbol{Pkg: kube.Cache, Name: "DeletionHandlingObjectToName"}:
		// The key is right, obj itself still is the tombstone: whoever asserts its type before the key panics, who
		// does it afterwards for more than the key may do so for objects alone.
		return nil, true
	case kube.Logs(callee):
		return nil, false
	}
	fn := flow.StaticCallee(common)
	if fn == nil || fn.Pkg != t.pkg.Package || len(fn.Blocks) == 0 {
		return nil, true // out of sight
	}
	for i, a := range common.Args {
		if raw(a) == obj && i < len(fn.Params) {
			return t.follow(fn, fn.Params[i], seen, depth+1)
		}
	}
	return nil, true
}

// right is the key function that knows tombstones, in the place of name.
func right(name string) string {
	if name == "MetaNamespaceKeyFunc" {
		return "DeletionHandlingMetaNamespaceKeyFunc"
	}
	return "DeletionHandlingObjectToName"
}

// raw follows v back through conversions between interfaces, and variables that are written once, but not through
// assertions: the value is the very object that the informer gave.
func raw(v ssa.Value) ssa.Value {
	for range 16 {
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			s := flow.SingleStore(x.X)
			if s == nil {
				return v
			}
			v = s
		case *ssa.FreeVar:
			b := flow.Binding(x)
			if b == nil {
				return v
			}
			v = b
		default:
			return v
		}
	}
	return v
}

// local reports whether addr is a variable of the function, or the list of arguments of a call with ..., as loggers
// take them.
func local(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.Alloc:
		return flow.SingleStore(a) != nil
	case *ssa.IndexAddr:
		alloc, ok := a.X.(*ssa.Alloc)
		return ok && alloc.Comment == "varargs"
	}
	return false
}

func anyReaches(from []ssa.Instruction, to ssa.Instruction) bool {
	for _, in := range from {
		if in == to || in.Parent() != to.Parent() {
			continue
		}
		if flow.Reaches(in, to, nil) {
			return true
		}
	}
	return false
}

// guarded reports whether a checked assertion to the same type stands in front of a, so that a cannot fail where it
// is reached.
func guarded(a *ssa.TypeAssert, all []*ssa.TypeAssert) bool {
	for _, b := range all {
		if b != a && b.CommaOk && b.Parent() == a.Parent() && flow.Dominates(b, a) {
			return true
		}
	}
	return a.Parent().Parent() != nil && len(all) > 1 // in a literal that may be run under a check
}

// answers reports whether a filter returns whether the checked assertion a held: it says no to a tombstone.
func answers(a *ssa.TypeAssert) bool {
	for _, r := range *a.Referrers() {
		ok, is := r.(*ssa.Extract)
		if !is || ok.Index != 1 {
			continue
		}
		for _, r := range *ok.Referrers() {
			if _, returned := r.(*ssa.Return); returned {
				return true
			}
		}
	}
	return false
}

// drops reports whether nothing but logging happens after the checked assertion a, one of asserts, failed, because the
// object is a tombstone: no instruction of handlers is reached. What a callee returns, its caller may act on.
func drops(a *ssa.TypeAssert, asserts []*ssa.TypeAssert, handlers []ssa.Instruction, callee bool) bool {
	if !tested(a) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool
	walk = func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool {
		seen[b] = true
		next := b.Succs
		for _, in := range instrs {
			if slices.Contains(handlers, in) {
				return false
			}
			switch in := in.(type) {
			case *ssa.Store:
				if !argument(in.Addr) {
					return false
				}
			case *ssa.Send, *ssa.MapUpdate, *ssa.Select:
				return false
			case ssa.CallInstruction:
				if _, builtin := in.Common().Value.(*ssa.Builtin); builtin {
					return false
				}
				if !kube.Logs(flow.Callee(in.Common())) {
					return false
				}
			case *ssa.Return:
				if callee && len(in.Results) > 0 {
					return false
				}
				for _, r := range in.Results {
					if flow.IsBool(r.Type()) && !constFalse(r, seen) {
						return false // a filter that lets it through
					}
				}
			case *ssa.If:
				if taken, known := onFailure(in.Cond, asserts); known {
					next = b.Succs[1:]
					if taken {
						next = b.Succs[:1]
					}
				}
			}
		}
		for _, s := range next {
			if !seen[s] && !walk(s, s.Instrs) {
				return false
			}
		}
		return true
	}
	instrs := a.Block().Instrs
	return walk(a.Block(), instrs[slices.Index(instrs, ssa.Instruction(a))+1:])
}

// tested reports whether the code asks, by the flag or by a comparison with nil, whether the assertion a succeeded.
func tested(a *ssa.TypeAssert) bool {
	for _, r := range *a.Referrers() {
		ex, ok := r.(*ssa.Extract)
		if !ok {
			continue
		}
		for _, r := range *ex.Referrers() {
			switch r := r.(type) {
			case *ssa.If, *ssa.Phi:
				return true
			case *ssa.UnOp:
				return true
			case *ssa.BinOp:
				return flow.IsNil(r.X) || flow.IsNil(r.Y)
			}
		}
	}
	return false
}

// onFailure is the value of cond when the assertions have failed, and whether that is known: cond is the flag of one,
// or compares the result of one with nil.
func onFailure(cond ssa.Value, asserts []*ssa.TypeAssert) (value, known bool) {
	switch x := cond.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			v, known := onFailure(x.X, asserts)
			return !v, known
		}
	case *ssa.Extract:
		t, ok := x.Tuple.(*ssa.TypeAssert)
		return false, ok && x.Index == 1 && slices.Contains(asserts, t)
	case *ssa.BinOp:
		for _, v := range []ssa.Value{x.X, x.Y} {
			ex, ok := v.(*ssa.Extract)
			if !ok || ex.Index != 0 || !flow.IsNil(x.X) && !flow.IsNil(x.Y) {
				continue
			}
			if t, ok := ex.Tuple.(*ssa.TypeAssert); ok && slices.Contains(asserts, t) {
				return x.Op == token.EQL, x.Op == token.EQL || x.Op == token.NEQ
			}
		}
	}
	return false, false
}

// constFalse reports whether v is false when control came through the blocks of path.
func constFalse(v ssa.Value, path map[*ssa.BasicBlock]bool) bool {
	if phi, ok := v.(*ssa.Phi); ok {
		for i, e := range phi.Edges {
			if (path == nil || path[phi.Block().Preds[i]]) && !constFalse(e, path) {
				return false
			}
		}
		return true
	}
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.ExactString() == "false"
}

// argument reports whether addr is a slot of the arguments of a variadic call.
func argument(addr ssa.Value) bool {
	ix, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	alloc, ok := ix.X.(*ssa.Alloc)
	return ok && alloc.Comment == "varargs"
}

// basic: a tombstone is never meant where a string or number is expected.
func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	return ok && i.Empty()
}

// isHandlerType reports whether t has the methods of cache.ResourceEventHandler, of any version.
func isHandlerType(t types.Type) bool {
	set := types.NewMethodSet(t)
	takes := func(name string, least, most int) bool {
		for i := range set.Len() {
			m := set.At(i).Obj()
			if m.Name() != name {
				continue
			}
			sig := m.Type().(*types.Signature)
			n := sig.Params().Len()
			return n >= least && n <= most && sig.Results().Len() == 0 && isAny(sig.Params().At(0).Type())
		}
		return false
	}
	return takes("OnAdd", 1, 2) && takes("OnUpdate", 2, 2) && takes("OnDelete", 1, 1)
}
