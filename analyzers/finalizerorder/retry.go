package finalizerorder

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// fromCallback gives the events of a literal that callee calls with an object that it reads by a key of the caller's,
// and writes afterwards, as UpdateWithRetry(ctx, c, key, func(obj) bool) does. They are the caller's, where it has read
// the object by the same key itself: two places in memory, and one object at the API server.
func (a *analyzer) fromCallback(call ssa.CallInstruction, callee, lit *ssa.Function) []event {
	args := call.Common().Args
	if len(lit.Params) == 0 {
		return nil
	}
	if obj, written, ok := a.givenOn(callee, lit, args); ok {
		return a.whatItDoes(call, lit, obj, written)
	}
	key, ok := a.calledWith(callee, lit, args)
	if !ok {
		return nil
	}
	obj, ok := readHere(call.Parent(), key, lit.Params[0].Type())
	if !ok {
		return nil
	}
	return a.whatItDoes(call, lit, obj, true)
}

// whatItDoes is what lit does to its first parameter, in terms of call, where that is given obj, and written by whoever
// calls lit, or not.
func (a *analyzer) whatItDoes(call ssa.CallInstruction, lit *ssa.Function, obj object, written bool) []event {
	var es []event
	for _, e := range a.outward(lit) {
		if e.obj.path != (flow.Path{Root: lit.Params[0]}) {
			continue
		}
		switch {
		case e.kind == adds && written:
			e.kind = addsNow
		case e.kind == removes && written:
			e.kind = removesNow
		case e.kind != adds && e.kind != removes:
			continue
		}
		e.obj, e.in = obj, call
		es = append(es, e)
	}
	return es
}

// calledWith is the key, in the caller's terms, of the object that callee, or a literal in it, reads, gives to the
// function that it was passed as lit, and writes.
func (a *analyzer) calledWith(callee, lit *ssa.Function, args []ssa.Value) (key flow.Path, ok bool) {
	funcs := append([]*ssa.Function{callee}, callee.AnonFuncs...)
	for _, fn := range funcs {
		flow.Calls(fn, func(c ssa.CallInstruction) {
			p, isParam := flow.Resolve(c.Common().Value).(*ssa.Parameter)
			if !isParam || p.Parent() != callee || len(c.Common().Args) == 0 {
				return
			}
			i := flow.ParamIndex(callee, p)
			if i >= len(args) || flow.FuncValue(args[i]) != lit {
				return
			}
			obj := objectOf(c.Common().Args[0])
			k, known := flow.Substitute(obj.key, callee, args)
			if !obj.key.Known() || !known {
				return
			}
			for _, w := range a.events(fn) {
				if w.kind == writes && w.obj.path == obj.path {
					key, ok = k, true
				}
			}
		})
	}
	return key, ok
}

// givenOn is the object that the caller gives to callee, which gives it to the function that it was passed as lit; written
// says that callee writes it, too.
func (a *analyzer) givenOn(callee, lit *ssa.Function, args []ssa.Value) (obj object, written, ok bool) {
	flow.Calls(callee, func(c ssa.CallInstruction) {
		p, isParam := flow.Resolve(c.Common().Value).(*ssa.Parameter)
		if !isParam || p.Parent() != callee || len(c.Common().Args) == 0 {
			return
		}
		if i := flow.ParamIndex(callee, p); i >= len(args) || flow.FuncValue(args[i]) != lit {
			return
		}
		given, isGiven := flow.Resolve(c.Common().Args[0]).(*ssa.Parameter)
		if !isGiven || flow.ParamIndex(callee, given) >= len(args) {
			return
		}
		obj, ok = objectOf(args[flow.ParamIndex(callee, given)]), true
		for _, w := range a.events(callee) {
			written = written || w.kind == writes && w.obj.path == flow.Path{Root: given} && flow.Reaches(c, w.in, nil)
		}
	})
	return obj, written, ok && obj.known()
}

// readHere is the object of type t that fn reads by key.
func readHere(fn *ssa.Function, key flow.Path, t types.Type) (object, bool) {
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		if e, ok := apiEvent(call); ok && e.kind == reads && e.obj.key == key && types.Identical(e.obj.typ, t) {
			return e.obj, true
		}
	}
	return object{}, false
}
