package finalizerorder

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// kind is what an event does to an object.
type kind int

const (
	clears  kind = iota // empties the finalizers in memory
	writes              // writes the object as it is in memory to the API server
	strips              // removes all finalizers at the API server
	deletes             // deletes the object
	reads               // fills the object from the API server
)

// event is a step of a function that matters to the finalizers of one object.
type event struct {
	kind kind
	obj  object
	in   ssa.Instruction // in the function under analysis
	at   ssa.Instruction // where it really happens; in itself, or an instruction of a callee
}

type analyzer struct {
	pkg     *ssapkg.Package
	memo    map[*ssa.Function][]event
	busy    map[*ssa.Function]bool
	callers map[*ssa.Function][]ssa.CallInstruction
}

func newAnalysis(pkg *ssapkg.Package) *analyzer {
	a := &analyzer{pkg, map[*ssa.Function][]event{}, map[*ssa.Function]bool{}, map[*ssa.Function][]ssa.CallInstruction{}}
	for _, fn := range pkg.Funcs {
		flow.Calls(fn, func(c ssa.CallInstruction) {
			if callee := flow.StaticCallee(c.Common()); callee != nil {
				a.callers[callee] = append(a.callers[callee], c)
			}
		})
	}
	return a
}

// events are the steps of fn in block order, with those of the functions that it calls in terms of its own values.
func (a *analyzer) events(fn *ssa.Function) []event {
	if es, ok := a.memo[fn]; ok {
		return es
	}
	if a.busy[fn] {
		return nil // recursion
	}
	a.busy[fn] = true
	var es []event
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if x := finalizersField(in.Addr); x != nil && isEmpty(in.Val) {
					es = append(es, event{clears, objectOf(x), in, in})
				}
			case *ssa.Call:
				es = append(es, a.callEvents(in)...)
			}
		}
	}
	delete(a.busy, fn)
	a.memo[fn] = es
	return es
}

func (a *analyzer) callEvents(call *ssa.Call) []event {
	fn := flow.Callee(&call.Call)
	if fn != nil {
		if e, ok := apiEvent(call, fn); ok {
			return []event{e}
		}
	}
	var es []event
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		es = append(es, a.fromCallee(call, callee)...)
	}
	// A function literal handed to a call (a retry, a poll) runs inside it.
	for _, arg := range call.Call.Args {
		if mc, ok := flow.Unwrap(arg).(*ssa.MakeClosure); ok {
			es = append(es, a.fromLiteral(call, mc.Fn.(*ssa.Function))...)
		}
	}
	return es
}

// fromCallee translates what callee does to its parameters: its clears that no write in it took up, and its writes,
// strips and deletions that no check of the deletion timestamp in it guards.
func (a *analyzer) fromCallee(call *ssa.Call, callee *ssa.Function) []event {
	var es []event
	if callee.Parent() != nil { // called through its variable, or on the spot
		return a.fromLiteral(call, callee)
	}
	for _, e := range a.outward(callee) {
		path, ok := flow.Substitute(e.obj.path, callee, call.Call.Args, 0)
		if !ok {
			continue
		}
		e.obj = e.obj.at(path)
		e.in = call
		es = append(es, e)
	}
	return es
}

// fromLiteral gives the events of a function literal that concern values of the functions around it.
func (a *analyzer) fromLiteral(call *ssa.Call, lit *ssa.Function) []event {
	var es []event
	for _, e := range a.outward(lit) {
		if root := e.obj.path.Root; root != nil && root.Parent() != lit {
			e.in = call
			es = append(es, e)
		}
	}
	return es
}

// outward is what a call of fn amounts to.
func (a *analyzer) outward(fn *ssa.Function) []event {
	var es []event
	all := a.events(fn)
	stripped := a.clearingWrites(all)
	es = append(es, stripped...)
	for _, e := range all {
		if e.kind == strips {
			continue // among stripped
		}
		if e.kind != clears && e.kind != reads && a.guarded(e) {
			continue
		}
		es = append(es, e)
	}
	var unguarded []event
	for _, e := range es {
		if e.kind == strips && a.deletingAlready(e, all) {
			continue
		}
		unguarded = append(unguarded, e)
	}
	return unguarded
}

// clearingWrites are the events after which the API server has the object without finalizers: patches that say so,
// and writes of an object whose finalizers were emptied before, and that was not read again in between.
func (a *analyzer) clearingWrites(events []event) []event {
	var out []event
	for _, e := range events {
		switch e.kind {
		case strips:
			out = append(out, e)
		case writes:
			for _, c := range events {
				if c.kind != clears || c.obj.path != e.obj.path {
					continue
				}
				reread := func(in ssa.Instruction) bool {
					for _, r := range events {
						if r.kind == reads && r.in == in && r.obj.path == c.obj.path {
							return true
						}
					}
					return false
				}
				// A helper that does both is one instruction here, and has said strips itself.
				if c.in != e.in && flow.ReachesForward(c.in, e.in, reread) {
					out = append(out, event{strips, e.obj, e.in, e.at})
					break
				}
			}
		}
	}
	return out
}

// apiEvent recognises the calls that act on an object, by method name and shape.
func apiEvent(call *ssa.Call, fn *types.Func) (event, bool) {
	args := flow.Args(&call.Call)
	e := event{in: call, at: call}
	recv := flow.Recv(&call.Call)
	switch fn.Name() {
	case "SetFinalizers":
		if len(args) == 1 && recv != nil && isEmpty(args[0]) {
			e.kind, e.obj = clears, objectOf(recv)
			return e, e.obj.known()
		}
	case "RemoveNestedField":
		if kube.SamePackage(fn.Pkg().Path(), kube.MetaV1+"/unstructured") && len(args) == 2 && constantPath(args[1]) == "metadata.finalizers" {
			e.kind, e.obj = clears, objectOf(args[0])
			e.obj.path.Sel = trimField(e.obj.path.Sel, "Object")
			return e, e.obj.known()
		}
	}
	if recv == nil || len(args) < 2 || !kube.IsContext(args[0].Type()) || isSubresource(recv) {
		return event{}, false
	}
	switch fn.Name() {
	case "Get":
		if len(args) >= 3 && isObject(args[2].Type()) {
			e.kind, e.obj = reads, objectOf(args[2])
			return e, e.obj.known()
		}
	case "Update":
		if isObject(args[1].Type()) {
			e.kind, e.obj = writes, objectOf(args[1])
			e.obj.client = clientKey(recv, 0)
			return e, e.obj.known()
		}
	case "Patch":
		if isObject(args[1].Type()) {
			e.kind, e.obj = writes, objectOf(args[1])
			e.obj.client = clientKey(recv, 0)
			if len(args) >= 3 {
				if typ, data, ok := rawPatch(args[2]); ok {
					if !clearsFinalizers(typ, data) {
						return event{}, false
					}
					e.kind = strips
				}
			}
			return e, e.obj.known()
		}
		if isString(args[1].Type()) && len(args) >= 4 && clearsFinalizers(patchType(args[2]), text(args[3], 0)) && !hasSubresource(args) {
			e.kind, e.obj = strips, namedObject(recv, args[1])
			return e, e.obj.known()
		}
	case "Delete":
		switch {
		case isObject(args[1].Type()):
			e.kind, e.obj = deletes, objectOf(args[1])
		case isString(args[1].Type()):
			e.kind, e.obj = deletes, namedObject(recv, args[1])
		default:
			return event{}, false
		}
		return e, e.obj.known()
	}
	return event{}, false
}
