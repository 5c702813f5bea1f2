package expectttl

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
	"github.com/ctrllint/ctrllint/internal/words"
)

// checkOwners reports reconcilers that go on expecting something of, or for, an object that is gone.
func (g *callGraph) checkOwners() {
	expected := g.neverDropped()
	for _, fn := range g.pkg.Funcs {
		if !isOwner(fn) {
			continue
		}
		get, object := firstGet(fn)
		if get == nil {
			continue
		}
		absent := absence(fn, flow.ErrorOf(get))
		if absent == nil {
			continue
		}
		for i, e := range expected {
			if e.call != nil && g.leadsTo(fn, e.call) && !g.lowersAlone(e.store) {
				g.reportKeyed(e, absent)
				expected[i].call = nil
			}
		}
		if isReconcile(fn) {
			g.checkObserved(fn, get, object)
		}
	}
}

// neverDropped are the expectations, one a store, that are set for a key in a store of this package's own which can drop
// all that it expects for a key, and is never told to.
func (g *callGraph) neverDropped() (out []expectation) {
	dropped, seen := map[*types.Named]bool{}, map[types.Object]bool{}
	// What another package may do with a store that it is handed, is told by its fact.
	handed := func(p *types.Package, open bool, v ssa.Value) {
		for _, el := range append(flow.Elements(v), v) {
			if t := flow.Unwrap(el).Type(); p != g.pkg.Pkg && isStore(t) && (open || g.mayDrop(p, t)) {
				dropped[kube.Named(t)] = true
			}
		}
	}
	for _, fn := range g.pkg.Funcs {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.Store:
				if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
					if n := kube.Named(fa.X.Type()); n != nil && n.Obj().Pkg() != nil {
						handed(n.Obj().Pkg(), flow.Field(fa.X.Type(), fa.Field).Exported(), in.Val)
					}
				}
			case ssa.CallInstruction:
				c := in.Common()
				if recv, r := storeCall(c); r == drops {
					dropped[kube.Named(recv.Type())] = true
				}
				var p *types.Package // of nothing that is known
				if fn := flow.Callee(c); fn != nil && (!c.IsInvoke() || fn.Pkg() == g.pkg.Pkg) {
					p = fn.Pkg()
				}
				for _, a := range flow.Args(c) {
					handed(p, false, a)
				}
			}
		}
	}
	g.eachCall(func(c ssa.CallInstruction) {
		call, ok := c.(*ssa.Call)
		if !ok {
			return
		}
		e, ok := asExpectation(call)
		if !ok || keyOf(&e.call.Call) == nil || e.store.obj == nil || seen[e.store.obj] || dropped[kube.Named(e.store.typ)] || !g.owns(e.store.obj) || !dropsKeys(e.store.typ) {
			return
		}
		seen[e.store.obj] = true
		out = append(out, e)
	})
	return out
}

// eachCall calls yield for the calls of the package.
func (g *callGraph) eachCall(yield func(ssa.CallInstruction)) {
	for _, fn := range g.pkg.Funcs {
		flow.Calls(fn, yield)
	}
}

// owns reports whether nobody outside can name the variable that holds a store.
func (g *callGraph) owns(obj types.Object) bool { return obj.Pkg() == g.pkg.Pkg && !obj.Exported() }

// dropsKeys reports whether t has a method that drops all that is expected for a key: a key is all that it is given.
func dropsKeys(t types.Type) bool {
	if _, ptr := types.Unalias(t).(*types.Pointer); !ptr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		fn, ok := methods.At(i).Obj().(*types.Func)
		if !ok || roleOf(fn) != drops {
			continue
		}
		keys, others := 0, 0
		params := fn.Signature().Params()
		for j := range params.Len() {
			switch p := params.At(j).Type(); {
			case isKeyType(p):
				keys++
			case kube.IsContext(p) || flow.Named(p) == "Logger":
			default:
				others++
			}
		}
		if keys == 1 && others == 0 {
			return true
		}
	}
	return false
}

// gets reports whether call asks for an object: a request, or a function that says so.
func gets(call *ssa.Call) bool {
	if r, ok := kube.RequestOf(&call.Call); ok {
		return r.Verb == kube.VerbGet
	}
	fn := flow.Callee(&call.Call)
	return fn != nil && words.First(fn.Name()) == "get"
}

// firstGet is the call of fn that gets the object which it is about, and the object: the first one named Get whose error
// is looked at.
func firstGet(fn *ssa.Function) (get *ssa.Call, object ssa.Value) {
	for _, b := range fn.DomPreorder() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if flow.ErrorOf(call) == nil || !gets(call) {
				continue
			}
			if call.Call.Signature().Results().Len() == 2 && kube.IsObject(call.Call.Signature().Results().At(0).Type()) {
				return call, nil
			}
			for _, a := range flow.Args(&call.Call) {
				if o := flow.Unwrap(a); kube.IsObject(o.Type()) {
					return call, o
				}
			}
		}
	}
	return nil, nil
}

// isOwner reports whether fn works on the object of a key: a reconciler, a function that is handed its request, or one
// that takes the key of a work queue apart.
func isOwner(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return false
	}
	params := fn.Signature.Params()
	for i := range params.Len() {
		if kube.IsType(params.At(i).Type(), kube.ControllerRuntime+"/pkg/reconcile", "Request") {
			return true
		}
	}
	if isReconcile(fn) {
		return true
	}
	found := false
	flow.Calls(fn, func(c ssa.CallInstruction) {
		found = found || kube.Symbol{Pkg: kube.Cache, Name: "SplitMetaNamespaceKey"}.Is(flow.Callee(c.Common()))
	})
	return found
}

// absence is the first call in fn that asks of err whether an object is not there.
func absence(fn *ssa.Function, err ssa.Value) (first *ssa.Call) {
	flow.Calls(fn, func(c ssa.CallInstruction) {
		call, ok := c.(*ssa.Call)
		if !ok || first != nil || len(call.Call.Args) == 0 || !holds(call.Call.Args[0], err, 0) {
			return
		}
		if fn := flow.Callee(&call.Call); kube.AsksAbsence(fn) || kube.IgnoresAbsence(fn) {
			first = call
		}
	})
	return first
}

// holds reports whether v may be the value want.
func holds(v, want ssa.Value, depth int) bool {
	if v == want {
		return true
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 4 && holds(e, want, depth+1) {
				return true
			}
		}
	case *ssa.UnOp: // a variable that a closure shares
		if alloc, ok := v.X.(*ssa.Alloc); ok {
			for _, r := range *alloc.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Val == want {
					return true
				}
			}
		}
	}
	return false
}

// leadsTo reports whether fn may run call, through functions of the package.
func (g *callGraph) leadsTo(fn *ssa.Function, call *ssa.Call) bool {
	for in := range g.reached(fn) {
		if in == ssa.Instruction(call) {
			return true
		}
	}
	return false
}

// observationOf is the first call in fn, or in what it runs, that observes a store for an object of type t.
func (g *callGraph) observationOf(fn *ssa.Function, t types.Type) (observation, bool) {
	for in := range g.reached(fn) {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		recv, r := storeCall(&call.Call)
		if r != observes || !dropsObjects(recv.Type()) {
			continue
		}
		if slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return types.Identical(flow.Unwrap(a).Type(), t) }) {
			return observation{call: call, store: storeOf(recv), fn: flow.Callee(&call.Call)}, true
		}
	}
	return observation{}, false
}

// checkObserved reports the reconciler fn where it observes a store for the object that get gives, and neither the way
// of an object that is gone nor that of one which is being deleted takes anything back from a store of that type.
func (g *callGraph) checkObserved(fn *ssa.Function, get *ssa.Call, object ssa.Value) {
	if object == nil {
		return
	}
	seen, ok := g.observationOf(fn, object.Type())
	if !ok {
		return
	}
	for _, hears := range g.hearOfDeletions() {
		for in := range g.reached(hears) {
			if g.takesBackType(in, seen.store.typ, nil) {
				return
			}
		}
	}
	gone, takes := g.wayOf(get, seen.store.typ, true)
	if gone == nil || takes {
		return
	}
	if g.testsDeletion(fn) {
		if _, takes := g.wayOf(get, seen.store.typ, false); takes {
			return
		}
	}
	g.reportObserved(seen, get)
}

// hearOfDeletions are the functions of the package that are told of each object that is gone: those of handlers, and those of predicates.
func (g *callGraph) hearOfDeletions() (out []*ssa.Function) {
	for _, set := range g.handlerSets() {
		if set.gone != nil {
			out = append(out, set.gone)
		}
	}
	for _, fn := range g.pkg.Funcs {
		if slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return kube.IsEvent(p.Type(), "Delete") }) {
			out = append(out, fn)
		}
	}
	return out
}

// dropsObjects reports whether t has a method that drops what is expected of an object.
func dropsObjects(t types.Type) bool {
	if _, ptr := types.Unalias(t).(*types.Pointer); !ptr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		fn, ok := methods.At(i).Obj().(*types.Func)
		if !ok || roleOf(fn) != drops || fn.Signature().Params().Len() == 0 {
			continue
		}
		last := fn.Signature().Params().At(fn.Signature().Params().Len() - 1).Type()
		if kube.IsObject(last) || kube.IsType(last, "k8s.io/apimachinery/pkg/runtime", "Object") {
			return true
		}
	}
	return false
}

// wayOf follows the ways after get, of an object that is not there or of one that is being deleted, and gives a return
// without an error at the end of one, and whether anything is taken back from a store of type t on some way.
func (g *callGraph) wayOf(get *ssa.Call, t types.Type, absent bool) (exit *ssa.Return, takes bool) {
	read := flow.Yes // the error of get
	if absent {
		read = flow.No
	}
	w := &ways.Walk{Calls: g.results}
	w.At = func(in ssa.Instruction, known *ways.Known) bool {
		if v, ok := in.(ssa.Value); ok {
			if v == flow.ErrorOf(get) {
				known.Set(v, read)
			}
			g.passAbsence(v, known, absent)
		}
		if !g.takesBackType(in, t, map[*ssa.Function]bool{}) {
			return false
		}
		takes = true
		return true
	}
	w.Return = func(ret *ssa.Return, known *ways.Known) {
		if exit == nil && !givesError(ret, known) {
			exit = ret
		}
	}
	if !g.follow(w, get, map[ssa.Value]flow.Truth{flow.ErrorOf(get): read}) {
		return nil, true
	}
	return exit, takes
}

// testsDeletion reports whether fn asks whether an object is being deleted.
func (g *callGraph) testsDeletion(fn *ssa.Function) bool {
	found := false
	for in := range flow.Instrs(fn) {
		if v, ok := in.(ssa.Value); ok && kube.IsDeletionTime(v) {
			found = true
		}
	}
	return found
}

// passAbsence adds what the tests say for an object that is not there, or that is being deleted.
func (g *callGraph) passAbsence(v ssa.Value, known *ways.Known, absent bool) {
	if absent {
		call, ok := v.(*ssa.Call)
		if !ok || len(call.Call.Args) != 1 || !flow.IsError(call.Call.Args[0].Type()) || known.Of(call.Call.Args[0]) != flow.No {
			return
		}
		if fn := flow.Callee(&call.Call); kube.AsksAbsence(fn) || kube.IgnoresAbsence(fn) {
			known.Set(v, flow.Yes) // IsNotFound is true; IgnoreNotFound gives nil
		}
		return
	}
	if kube.IsDeletionTime(v) || kube.AsksAlive(v) {
		known.Set(v, flow.No)
	}
}

// takesBackType reports whether in takes something back from a store of type t, or calls what may: a function of the
// package that does, one that is handed such a store, or one beside its type that says so.
func (g *callGraph) takesBackType(in ssa.Instruction, t types.Type, seen map[*ssa.Function]bool) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if seen == nil {
		seen = map[*ssa.Function]bool{}
	}
	common := c.Common()
	if recv, r := storeCall(common); recv != nil && types.Identical(recv.Type(), t) {
		return r == drops || r == observes
	}
	fn := flow.Callee(common)
	if fn == nil {
		_, builtin := common.Value.(*ssa.Builtin)
		return !builtin && flow.StaticCallee(common) == nil && !kube.IsCancel(common.Value.Type())
	}
	if named := kube.Named(t); named != nil && named.Obj().Pkg() == fn.Pkg() && fn.Pkg() != g.pkg.Pkg && roleOf(fn) == drops {
		return true
	}
	for _, a := range common.Args {
		if fn.Pkg() != g.pkg.Pkg && types.Identical(a.Type(), t) {
			return true
		}
	}
	for _, callee := range g.runs(common) {
		if seen[callee] {
			continue
		}
		seen[callee] = true
		found := false
		for in := range flow.Instrs(callee) {
			found = found || g.takesBackType(in, t, seen)
		}
		if found {
			return true
		}
	}
	return false
}

func (g *callGraph) reportKeyed(e expectation, absent *ssa.Call) {
	if namesFinalizers(g.pass) {
		return // the object goes only when the controller lets it, and what it expects may be settled by then
	}
	g.reportOwner("kept-expectation", absent.Pos(), e.call, e.fn, e.store, fmt.Sprintf(
		"%s keeps what it expects for an object that is found gone here (%s at line %d): nothing in the package deletes it, and an object that is made again under the same name waits for it",
		e.store.path, e.fn.Name(), rule.Line(g.pass, e.call.Pos())))
}

// namesFinalizers reports whether the package has to do with finalizers.
func namesFinalizers(pass *analysis.Pass) bool {
	for id := range pass.TypesInfo.Uses {
		if strings.Contains(id.Name, "inalizer") {
			return true
		}
	}
	return false
}

func (g *callGraph) reportObserved(o observation, get *ssa.Call) {
	g.reportOwner("untold-deletion", get.Pos(), o.call, o.fn, o.store, fmt.Sprintf(
		"%s, observed at line %d (%s) for the object that is read here, is not told when the object is gone or being deleted: what is expected of it stays expected",
		o.store.path, rule.Line(g.pass, o.call.Pos()), o.fn.Name()))
}

func (g *callGraph) reportOwner(site rule.Site, pos token.Pos, call *ssa.Call, fn *types.Func, s store, message string) {
	rule.Report(g.pass, rule.Finding{
		Pos: pos, Sub: "neverdeleted", Site: site, Message: message,
		Related: []analysis.RelatedInformation{{Pos: call.Pos(), Message: fmt.Sprintf("%s of %s is called here", fn.Name(), s.path)}},
	})
}
