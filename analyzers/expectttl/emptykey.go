package expectttl

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkEmptyKeys reports what takes back an expectation where its object was not found, under a key that is made of that object: nothing was read
// into it, so that it has no name.
func (g *callGraph) checkEmptyKeys(fn *ssa.Function) {
	get, object := firstGet(fn)
	made, ok := object.(*ssa.Alloc)
	if !ok || !isEmpty(made, get) {
		return
	}
	flow.Calls(fn, func(c ssa.CallInstruction) {
		call, ok := c.(*ssa.Call)
		if !ok {
			return
		}
		recv, r := storeCall(&call.Call)
		if recv == nil || r != observes && r != drops {
			return
		}
		key := keyOf(&call.Call)
		if key == nil || !foundGone(call, get) || !madeOf(key, made) {
			return
		}
		rule.Report(g.pass, rule.Finding{
			Pos: flow.Pos(call), Sub: "neverdeleted", Site: "empty-key",
			Message: fmt.Sprintf("%s drops nothing: the object that its key is made of was not found (line %d), and has no name; take the name from the request",
				flow.Callee(&call.Call).Name(), rule.Line(g.pass, flow.Pos(get))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(get), Message: "nothing is read into it here"}},
		})
	})
}

// isEmpty reports whether nothing is put into made before get.
func isEmpty(made *ssa.Alloc, get *ssa.Call) bool {
	for in := range flow.Instrs(made.Parent()) {
		switch in := in.(type) {
		case *ssa.Store:
			if flow.PathOf(in.Addr).Root == ssa.Value(made) && flow.Reaches(in, get, nil) {
				return false
			}
		case *ssa.Call:
			if in == get || !flow.Reaches(in, get, nil) {
				continue
			}
			for _, a := range flow.AllArgs(&in.Call) {
				if flow.Unwrap(a) == ssa.Value(made) {
					return false
				}
			}
		}
	}
	return true
}

// foundGone reports whether call comes only where the error of get says that the object is not there.
func foundGone(call, get *ssa.Call) bool {
	err := flow.ErrorOf(get)
	for test, t := range flow.Decided(call.Block()) {
		cond, positive := flow.Positive(test.Cond)
		if !positive {
			t = t.Not()
		}
		asked, ok := cond.(*ssa.Call)
		if !ok {
			x, eq, isTest := flow.NilTest(cond)
			if !isTest || (t == flow.Yes) != eq {
				continue
			}
			if asked, ok = flow.Resolve(x).(*ssa.Call); !ok || !kube.IgnoresAbsence(flow.Callee(&asked.Call)) || !holds(asked.Call.Args[0], err, 0) {
				continue
			}
			return behindError(call, err)
		}
		if t == flow.Yes && kube.AsksAbsence(flow.Callee(&asked.Call)) && holds(asked.Call.Args[0], err, 0) {
			return true
		}
	}
	return false
}

// behindError reports whether call comes only where err is there.
func behindError(call *ssa.Call, err ssa.Value) bool {
	for test, t := range flow.Decided(call.Block()) {
		if x, eq, ok := flow.NilTest(test.Cond); ok && holds(x, err, 0) && (t == flow.Yes) != eq {
			return true
		}
	}
	return false
}

// madeOf reports whether v is made of what the object at made says, and of nothing else.
func madeOf(v ssa.Value, made *ssa.Alloc) bool {
	some := false
	var all func(v ssa.Value) bool
	all = func(v ssa.Value) bool {
		v = flow.Resolve(v)
		if flow.PathOf(v).Root == ssa.Value(made) {
			some = true
			return true
		}
		switch x := v.(type) {
		case *ssa.Const:
			return true
		case *ssa.BinOp:
			return all(x.X) && all(x.Y)
		case *ssa.Convert:
			return all(x.X)
		case *ssa.Slice:
			for _, el := range flow.Elements(x) {
				if !all(el) {
					return false
				}
			}
			return true
		case *ssa.Extract:
			return all(x.Tuple)
		case *ssa.Call:
			for _, a := range flow.AllArgs(&x.Call) {
				if !all(a) {
					return false
				}
			}
			return true
		}
		return false
	}
	return all(v) && some
}
