package filter

import (
	"go/token"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A filter, with the functions that it calls, asks the same of both versions, or one thing twice. Where the change leaves alone what is asked
// about, the answers are the same: after !f(old) it knows f(new). What is asked is told by how the value is made, with the older version standing for both of what is the same
// in both.

const notOp = "!"

// answer is whether cond holds at test, a branch or a return, with what is asked there, if another one asks it, too.
func (ev *evaluation) answer(f *frame, test ssa.Instruction, cond value) (t flow.Truth, asked string, negated bool) {
	if t = truthValue(cond); t != flow.Unknown {
		return t, "", false
	}
	if asked, negated = ev.asks(test, cond); asked != "" && f.said[asked] != flow.Unknown {
		t = negate(f.said[asked], negated)
	}
	return t, asked, negated
}

// returned are the results of ret.
func (ev *evaluation) returned(f *frame, ret *ssa.Return) []value {
	all := ev.evalAll(f, ret.Results)
	if len(all) == 1 && flow.IsBool(ret.Results[0].Type()) {
		if t, _, _ := ev.answer(f, ret, all[0]); t != flow.Unknown {
			all[0] = boolean(t)
		}
	}
	return all
}

// asks is what test, whose condition has the value cond, asks; "" where that cannot be told, or, in a second run, is asked once. Whoever asks
// it negated gets the other answer.
func (ev *evaluation) asks(test ssa.Instruction, cond value) (key string, negated bool) {
	for cond.kind == derivedValue && cond.op == notOp {
		cond, negated = cond.args[0], !negated
	}
	if cond.kind != derivedValue && cond.kind != placeValue {
		return "", false
	}
	key = ev.change.inOlder(cond).key()
	switch {
	case ev.again == nil:
		ev.tests[key] = append(ev.tests[key], test)
		return "", false
	case !ev.again[key]:
		return "", false
	}
	return key, negated
}

// askedAgain is what several tests ask.
func (ev *evaluation) askedAgain() map[string]bool {
	again := map[string]bool{}
	for key, tests := range ev.tests {
		for _, t := range tests[1:] {
			if t != tests[0] {
				again[key] = true
			}
		}
	}
	return again
}

func negate(t flow.Truth, negated bool) flow.Truth {
	if negated {
		return t.Not()
	}
	return t
}

// inOlder is v with all that c leaves as it is taken from the older version.
func (c change) inOlder(v value) value {
	switch v.kind {
	case placeValue:
		if !v.copy && c.differs(v.path) == flow.False {
			v.side = older
		}
	case derivedValue:
		args := make([]value, len(v.args))
		for i, a := range v.args {
			args[i] = c.inOlder(a)
		}
		v.args = args
	}
	return v
}

// maybeDerived is what op makes of args, a condition of which nothing is known where that cannot be told.
func maybeDerived(op string, args ...value) value {
	if v := derived(op, args...); v.kind == derivedValue {
		return v
	}
	return boolean(flow.Unknown)
}

// named is result, of a call of fn that does nothing which others see, with what is not known of it named by the call: another one with the
// same arguments gives the same. What is made of neither version though fn is given some is not known: it was filled, as a hash is.
func named(fn *ssa.Function, args []value, result value) value {
	var from []value
	for i, a := range args {
		if a.kind != placeValue || i >= len(fn.Params) {
			from = append(from, a)
			continue
		}
		for _, p := range slices.Sorted(maps.Keys(readOf(fn.Params[i], a.path))) {
			part := a
			part.path = p
			from = append(from, part)
		}
	}
	call := derived("call "+fn.String(), from...)
	if call.kind != derivedValue {
		return result
	}
	unknown := func(v value) bool {
		return v.tuple == nil && (v.kind == unknownValue || v.kind == boolValue && v.truth == flow.Unknown || v.filled(args))
	}
	if unknown(result) {
		return call
	}
	out := value{tuple: make([]value, len(result.tuple))}
	for i, v := range result.tuple {
		if unknown(v) {
			v = derived("result "+strconv.Itoa(i), call)
		}
		out.tuple[i] = v
	}
	if result.tuple == nil {
		return result
	}
	return out
}

// filled reports whether v, what a function that is given args makes, is of neither version though one of these is.
func (v value) filled(args []value) bool {
	if hasOld, hasNew := v.sides(); v.kind != derivedValue || v.op == emptyOp || hasOld || hasNew {
		return false
	}
	return slices.ContainsFunc(args, func(a value) bool {
		hasOld, hasNew := a.sides()
		return hasOld || hasNew
	})
}

// readOf are the paths that are read of the object, or part of one, that v is or points to, and that lies at path: path itself where that is not told
// apart.
func readOf(v ssa.Value, path string) map[string]bool {
	paths := map[string]bool{}
	work, at := values.From(v), map[ssa.Value]string{v: path}
	add := func(v ssa.Value, path string) {
		at[v] = path
		work.Add(v)
	}
	for v := range work.All() {
		path := at[v]
		for r := range flow.Referrers[ssa.Instruction](v) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				if f := flow.Field(r.X.Type(), r.Field); f != nil {
					add(r, step(path, f))
					continue
				}
			case *ssa.Field:
				if f := flow.Field(r.X.Type(), r.Field); f != nil {
					add(r, step(path, f))
					continue
				}
			case *ssa.UnOp:
				if r.Op == token.MUL && flow.IsStruct(r.Type()) {
					add(r, path)
					continue
				}
			case *ssa.Store:
				if local, ok := r.Addr.(*ssa.Alloc); ok && flow.IsStruct(v.Type()) && flow.StoredOnce(local) == v {
					add(local, path)
					continue
				}
			case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
				add(r.(ssa.Value), path)
				continue
			case *ssa.Call:
				if callee := flow.StaticCallee(&r.Call); callee != nil && len(callee.Blocks) > 0 {
					if params := values.Parameters(callee, &r.Call, v); len(params) > 0 {
						add(params[0], path)
						continue
					}
				}
				if of := metaPath(kubeapi.GetterOf(flow.Callee(&r.Call))); of != "" && (path == "" || path == "metadata") {
					paths[of] = true
					continue
				}
			}
			paths[path] = true
		}
	}
	return paths
}
