package expectttl

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// query is a call that asks an expectation store whether all that it expects has been seen.
type query struct {
	call  *ssa.Call
	store store
	fn    *types.Func
	timed bool // one of the results is a time.Duration: the store leaves the timeout to its caller
}

// asQuery recognises an expectation query by the shape of the store's type: a method that says in a bool whether
// something is satisfied, and sibling methods that expect and that observe or delete.
func asQuery(call *ssa.Call) (query, bool) {
	fn := flow.Callee(&call.Call)
	recv := flow.Recv(&call.Call)
	if recv == nil || !isQuery(fn) || !isStore(recv.Type()) {
		return query{}, false
	}
	q := query{call: call, store: storeOf(recv), fn: fn}
	results := fn.Signature().Results()
	for i := range results.Len() {
		if kube.IsType(results.At(i).Type(), "time", "Duration") {
			q.timed = true
		}
	}
	return q, true
}

// isQuery reports whether fn has the name and the first result of an expectation query.
func isQuery(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Results().Len() == 0 {
		return false
	}
	if role := declaredRole(fn); role != "" && role != "satisfied" {
		return false
	} else if role == "" && !strings.Contains(fn.Name(), "Satisfied") && !strings.Contains(fn.Name(), "Fulfilled") || role == "" && strings.Contains(fn.Name(), "Not") {
		return false
	}
	b, ok := fn.Signature().Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// isStore reports whether t, the type of a query's receiver, also has a method that sets an expectation and one that
// takes it back.
func isStore(t types.Type) bool {
	if isDeclaredStore(t) {
		return true
	}
	if !types.IsInterface(t) {
		if _, ptr := types.Unalias(t).(*types.Pointer); !ptr {
			t = types.NewPointer(t)
		}
	}
	var expects, lowers, certain bool
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		name := methods.At(i).Obj().Name()
		if hasPrefix(name, "Expect", "Set", "Raise", "expect", "set", "raise") {
			expects = true
		}
		if hasPrefix(name, "Observe", "Lower", "Delete", "Forget", "Cancel", "observe", "lower", "delete", "forget", "cancel") ||
			strings.HasSuffix(name, "Observed") {
			lowers = true
		}
		// Set and Delete alone are the methods of any map.
		if hasPrefix(name, "Expect", "Raise", "expect", "raise") {
			certain = true
		}
	}
	return expects && lowers && certain
}

// isReader reports whether a method of a store only asks.
func isReader(fn *types.Func) bool {
	if role := declaredRole(fn); role != "" {
		return role == "satisfied"
	}
	return isQuery(fn) || hasPrefix(fn.Name(), "Get", "Is", "Has", "List", "Len", "String", "Expected", "Pending") && fn.Signature().Results().Len() > 0
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// store names the variable that holds an expectation store: by the package variable or the field, which mean the same
// in every function, or, for a parameter or a local variable, by its access path.
type store struct {
	obj  types.Object // package variable or field, or nil
	path flow.Path
}

func storeOf(v ssa.Value) store {
	s := store{path: flow.PathOf(v)}
	v = flow.Resolve(v)
	if load, ok := v.(*ssa.UnOp); ok {
		v = flow.Resolve(load.X)
	}
	switch v := v.(type) {
	case *ssa.Global:
		s.obj = v.Object()
	case *ssa.FieldAddr:
		if f := flow.Field(v.X.Type(), v.Field); f != nil {
			s.obj = f.Origin()
		}
	case *ssa.Field:
		if f := flow.Field(v.X.Type(), v.Field); f != nil {
			s.obj = f.Origin()
		}
	}
	return s
}

// is reports whether v holds the store or its address.
func (s store) is(v ssa.Value) bool {
	if v == nil {
		return false
	}
	o := storeOf(v)
	if s.obj != nil || o.obj != nil {
		return s.obj == o.obj
	}
	return s.path.Known() && s.path == o.path
}
