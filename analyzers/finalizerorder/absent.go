package finalizerorder

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What a cleanup would take away may be gone already: by a try before, whose write failed, or by somebody else. Then there is nothing to do, and
// nothing to wait for, and so the finalizer has to go: nobody makes it again for an object that is being deleted.

// checkAbsent reports the returns of fn, which takes a finalizer off an object that it is given, where what it was to clean up is not there.
func (a *analyzer) checkAbsent(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		param, given := r.obj.path.Root.(*ssa.Parameter)
		if !a.letsGo(r) || !given || param.Parent() != fn || a.addsIn(fn, r, events) {
			continue
		}
		for _, b := range fn.Blocks {
			l := askedFor(b)
			if l == nil || !flow.Dominates(l.call, r.in) || flow.Dominates(r.in, flow.Branch(b)) || l.gone == r.in.Block() || !a.cleansUp(l, r) {
				continue
			}
			if ret := a.staysBehind(l.gone, r, events); ret != nil {
				a.reportAbsent(r, l.call, ret)
				return
			}
		}
	}
}

// addsIn reports whether fn gives the object of r a finalizer, too: then it is not for deleted objects alone.
func (a *analyzer) addsIn(fn *ssa.Function, r event, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		return (e.kind == adds || e.kind == addsNow) && e.in.Parent() == fn && (e.obj.path == r.obj.path || e.obj.same(r.obj))
	})
}

// A lookup asks whether something is there.
type lookup struct {
	call  *ssa.Call
	found ssa.Value       // what it fills; nil where that is its result
	gone  *ssa.BasicBlock // to which control goes where there is nothing
}

// askedFor is the lookup of which b asks at its end whether it has found something: by what it gives, by the kind of its error, or by a field that it
// fills. Nil for other blocks.
func askedFor(b *ssa.BasicBlock) *lookup {
	test := flow.Branch(b)
	if test == nil {
		return nil
	}
	cond, is := flow.StripNot(test.Cond)
	side := func(when bool) *ssa.BasicBlock { return flow.Side(test, flow.TruthOf(when == is)) }
	if call, ok := cond.(*ssa.Call); ok {
		if !isGoneTest(call) {
			return nil
		}
		if of, _ := flow.ResultOf(flow.Resolve(call.Call.Args[0])); of != nil && givesErrorWith(of) {
			return &lookup{of, nil, side(true)}
		}
		return nil
	}
	if call, found, empty := emptyField(cond); call != nil {
		return &lookup{call, found, side(empty)}
	}
	x, isNil, ok := flow.NilTest(cond)
	if !ok || flow.IsError(x.Type()) || kubeapi.IsContext(x.Type()) {
		return nil
	}
	call, i := flow.ResultOf(flow.Resolve(x))
	if call == nil || i != 0 || !givesErrorWith(call) {
		return nil
	}
	return &lookup{call, nil, side(isNil)}
}

// givesErrorWith reports whether call gives one result, and an error with it.
func givesErrorWith(call *ssa.Call) bool { return flow.ErrorResult(call.Call.Signature()) == 1 }

// emptyField takes apart the comparison of a field with nothing, of a struct that the function makes and gives to one call alone before it asks, to fill
// it: the call, nil for anything else, the struct, and whether cond holds where the field is empty.
func emptyField(cond ssa.Value) (call *ssa.Call, found ssa.Value, empty bool) {
	bin, ok := cond.(*ssa.BinOp)
	if !ok || bin.Op != token.EQL && bin.Op != token.NEQ {
		return nil, nil, false
	}
	zero, ok := bin.Y.(*ssa.Const)
	if !ok || !flow.IsZero(zero) {
		return nil, nil, false
	}
	load, ok := bin.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, nil, false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil, false
	}
	made, ok := field.X.(*ssa.Alloc)
	if !ok || kubeapi.IsObject(made.Type()) {
		return nil, nil, false
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if flow.ErrorResult(r.Call.Signature()) < 0 || !flow.Dominates(r, load) {
				continue
			}
			if call != nil {
				return nil, nil, false
			}
			call = r
		case *ssa.FieldAddr:
			if r.Field == field.Field && slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool { st, ok := u.(*ssa.Store); return ok && st.Addr == ssa.Value(r) }) {
				return nil, nil, false
			}
		}
	}
	return call, made, bin.Op == token.EQL
}

// cleansUp reports whether something that may fail comes between the lookup and r that takes what was found, or asks the same service, or takes something away
// by the service that the lookup is handed: that is the cleanup, and nobody that the function only needs for it. What is looked up is another object than that of r.
func (a *analyzer) cleansUp(l *lookup, r event) bool {
	if res := l.call.Call.Signature().Results(); l.found == nil && r.obj.typ != nil && types.Identical(res.At(0).Type(), r.obj.typ) {
		return false
	}
	return flow.Any(flow.Calls(l.call.Parent()), func(in ssa.CallInstruction) bool {
		call, ok := in.(*ssa.Call)
		if !ok || call == l.call || flow.ErrorResult(call.Call.Signature()) < 0 || !flow.Dominates(l.call, call) || !r.deferred && !flow.Reaches(call, r.in, nil) {
			return false
		}
		if fn := flow.Callee(&call.Call); fn == nil || kubeapi.Logs(fn) || makesErrors(fn) {
			return false
		}
		return sameService(&l.call.Call, &call.Call) || slices.ContainsFunc(flow.Args(&call.Call), l.gives) || handsService(l.call, call) && a.undoes(call)
	})
}

// gives reports whether v is what l has found, or a part of that.
func (l *lookup) gives(v ssa.Value) bool {
	root := flow.PathOf(flow.Unwrap(v)).Root
	if l.found != nil {
		return root == l.found
	}
	call, i := flow.ResultOf(root)
	return call == l.call && i == 0
}

// makesErrors reports whether fn gives an error of what it is told.
func makesErrors(fn *types.Func) bool { return kubeapi.MakesError(fn) || kubeapi.WrapsError(fn) }

// sameService reports whether both calls are of methods of one object that is not the reconciler itself, or of a part of it.
func sameService(x, y *ssa.CallCommon) bool {
	a, b := flow.Recv(x), flow.Recv(y)
	if a == nil || b == nil {
		return false
	}
	p, q := flow.PathOf(a), flow.PathOf(b)
	if _, own := p.Root.(*ssa.Parameter); p.Root != q.Root || own && p.Sel == "" {
		return false
	}
	return p.Sel == q.Sel || strings.HasPrefix(q.Sel, p.Sel+".")
}

// handsService reports whether the lookup is given what call is a method of: it is found there.
func handsService(lookup, call *ssa.Call) bool {
	recv := flow.Recv(&call.Call)
	if recv == nil || recv == flow.Recv(&lookup.Call) || kubeapi.IsContext(recv.Type()) || kubeapi.IsObject(recv.Type()) {
		return false
	}
	p := flow.PathOf(recv)
	return p.Known() && slices.ContainsFunc(flow.Args(&lookup.Call), func(arg ssa.Value) bool { return flow.PathOf(flow.Unwrap(arg)) == p })
}

// staysBehind is the return to which control comes from gone, and before which nothing takes the finalizer of r off, nor may; nil where there is none,
// or where it asks to come back.
func (a *analyzer) staysBehind(gone *ssa.BasicBlock, r event, events []event) *ssa.Return {
	blocks := flow.BlocksFrom(gone)
	blocks[gone] = true
	var ret *ssa.Return
	for _, b := range gone.Parent().Blocks {
		if !blocks[b] {
			continue
		}
		for _, in := range b.Instrs {
			if a.mayReleaseAt(in, r.obj.places()) {
				return nil
			}
			for _, e := range events {
				if e.in == in && takesAway(e) {
					return nil
				}
			}
		}
		if out := flow.ReturnOf(b); out != nil && ret == nil {
			ret = out
		}
	}
	if ret == nil || !paths.Fails(ret) && !leavesForGood(ret) {
		return nil
	}
	return ret
}

func (a *analyzer) reportAbsent(r event, lookup *ssa.Call, ret *ssa.Return) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(ret), Sub: "unreachable", Site: "vanished-lookup",
		Message: fmt.Sprintf("%s keeps its finalizer if what %s looks up (line %d) is gone: this returns before line %d removes it; remove it then, too",
			a.named(r), flow.Callee(&lookup.Call).Name(), rule.Line(a.pass, flow.Pos(lookup)), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(lookup), Message: "looked up here"}, {Pos: flow.Pos(r.in), Message: "the finalizer is removed here"}},
	})
}
