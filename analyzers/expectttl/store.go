package expectttl

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// isQuery reports whether fn has the name and the first result of an expectation query.
func isQuery(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Results().Len() == 0 {
		return false
	}
	role := declaredRole(fn)
	if role != "" && role != "satisfied" {
		return false
	}
	if role == "" && (!words.Has(fn.Name(), "satisfied", "fulfilled") || words.Has(fn.Name(), "not")) {
		return false
	}
	b, ok := fn.Signature().Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// role is what a method does to a store.
type role int

const (
	noRole   role = iota
	asks          // says what is expected, or whether it has been seen
	expects       // adds an expectation
	observes      // takes one back because it has been seen, or will not be
	drops         // takes back all that is expected for a key or an object
)

// declaredRoles are the roles by the words that the user has for them.
var declaredRoles = map[string]role{"expect": expects, "observe": observes, "satisfied": asks, "delete": drops}

// roleOf goes by what the user says of a method of a store, or else by its name.
func roleOf(fn *types.Func) role {
	if word := declaredRole(fn); word != "" {
		return declaredRoles[word]
	}
	name := strings.ToLower(fn.Name())
	switch {
	case isQuery(fn), hasPrefix(name, "get", "is", "has", "list", "len", "string", "pending", "unsatisfied", "populated", "kinds"),
		hasPrefix(name, "expected") && fn.Signature().Results().Len() > 0:
		return asks
	case hasPrefix(name, "expectation", "expected"):
		return noRole
	case hasPrefix(name, "expect", "raise", "setexpect"), name == "set":
		return expects
	case hasPrefix(name, "observe", "lower", "decrement", "decrease"), strings.HasSuffix(name, "observed"):
		return observes
	case hasPrefix(name, "delete", "forget", "cancel", "trycancel", "remove", "clear", "drop", "reset", "unexpect"):
		return drops
	}
	return noRole
}

// isStore reports whether t, the type of a method call's receiver, has a method that asks whether all has been seen,
// one that sets an expectation, and one that takes it back.
func isStore(t types.Type) bool {
	if t == nil {
		return false
	}
	if isDeclaredStore(t) {
		return true
	}
	if !types.IsInterface(t) {
		if _, ptr := types.Unalias(t).(*types.Pointer); !ptr {
			t = types.NewPointer(t)
		}
	}
	var asked, expected, taken bool
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		fn, ok := methods.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		switch roleOf(fn) {
		case asks:
			asked = asked || isQuery(fn)
		case expects:
			// Set and Delete alone are the methods of any map.
			expected = expected || !strings.EqualFold(fn.Name(), "set")
		case observes, drops:
			taken = true
		}
	}
	return asked && expected && taken
}

// isReader reports whether a method of a store only asks.
func isReader(fn *types.Func) bool { return roleOf(fn) == asks && fn.Signature().Results().Len() > 0 }

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// storeCall returns the role of call among the methods of an expectation store, with the store's value; noRole for
// any other call.
func storeCall(call *ssa.CallCommon) (ssa.Value, role) {
	recv := flow.Recv(call)
	fn := flow.Callee(call)
	if recv == nil || fn == nil {
		return nil, noRole
	}
	r := roleOf(fn)
	if r == noRole || !isStore(recv.Type()) {
		return nil, noRole
	}
	return recv, r
}

// store names the variable that holds an expectation store: by the package variable or the field, which mean the same
// in every function, or, for a parameter or a local variable, by its access path.
type store struct {
	obj   types.Object // package variable or field, or nil
	owner types.Type   // the struct that the field is of
	path  flow.Path
	typ   types.Type
}

func storeOf(v ssa.Value) store {
	s := store{path: flow.PathOf(v), typ: v.Type()}
	v = flow.Resolve(v)
	if load, ok := v.(*ssa.UnOp); ok {
		v = flow.Resolve(load.X)
	}
	switch v := v.(type) {
	case *ssa.Global:
		s.obj = v.Object()
	case *ssa.FieldAddr:
		if f := flow.Field(v.X.Type(), v.Field); f != nil {
			s.obj, s.owner = f.Origin(), owner(v.X.Type())
		}
	case *ssa.Field:
		if f := flow.Field(v.X.Type(), v.Field); f != nil {
			s.obj, s.owner = f.Origin(), owner(v.X.Type())
		}
	}
	return s
}

// is reports whether v holds the store or its address.
func (s store) is(v ssa.Value) bool {
	if v == nil {
		return false
	}
	return s.same(storeOf(v))
}

// same reports whether both name one variable.
func (s store) same(o store) bool {
	if s.obj != nil || o.obj != nil {
		return s.obj == o.obj
	}
	return s.path.Known() && s.path == o.path
}

// mayBe reports whether v may hold the store, under this name or another one: the reconciler and its event handlers
// have fields of their own for one store. Two package variables, and two fields of one struct, are two stores.
func (s store) mayBe(v ssa.Value) bool {
	if v == nil || !isStore(v.Type()) {
		return false
	}
	return s.mayAlias(storeOf(v))
}

func (s store) mayAlias(o store) bool {
	if s.same(o) {
		return true
	}
	if !types.AssignableTo(s.typ, o.typ) && !types.AssignableTo(o.typ, s.typ) {
		return false
	}
	return s.obj == nil || o.obj == nil || (s.owner == nil) != (o.owner == nil) || s.owner != nil && !types.Identical(s.owner, o.owner)
}

// owner returns the defined type behind t, or t.
func owner(t types.Type) types.Type {
	if n := kubeapi.Named(t); n != nil {
		return n
	}
	return t
}
