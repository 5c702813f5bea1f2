package kubeapi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Owner returns the kind of the owners that the watch w of c queues, nil if it is not known; only: if they are the
// object's controller.
func (c *Controller) Owner(w *Watch) (owner types.Type, only bool) {
	if w.Handler == nil {
		for _, v := range c.Watches {
			if w.Role == RoleOwns && v.Role == RoleFor {
				return v.Kind, !w.EveryOwner
			}
		}
		return nil, false
	}
	switch h := flow.Unwrap(flow.Resolve(w.Handler)).(type) {
	case *ssa.Call:
		args := flow.Args(&h.Call)
		if role(h) != "Owns" || len(args) < 4 {
			return nil, false
		}
		for _, option := range flow.Elements(args[3]) {
			call, ok := flow.Resolve(option).(*ssa.Call)
			only = only || ok && SymbolOf(flow.Callee(&call.Call)) == Symbol{Pkg: HandlerPkg, Name: "OnlyControllerOwner"}
		}
		return watchedKind(args[2]), only
	case *ssa.Alloc: // before 0.15
		if role(h) != "Owns" {
			return nil, false
		}
		for st, fa := range flow.FieldStores(h.Parent()) {
			if fa.X != ssa.Value(h) {
				continue
			}
			switch flow.Field(fa.X.Type(), fa.Field).Name() {
			case "OwnerType":
				owner = watchedKind(st.Val)
			case "IsController":
				only = flow.ConstTruth(st.Val) == flow.True
			}
		}
	}
	return owner, only
}

// An Ownership is that a function returns an object an owner.
type Ownership struct {
	Owner, Object types.Type // nil if they are not known
	Kind          string     // of the owner, where the reference is written out and its type is not known
	Controller    flow.Truth // whether the owner is the object's controller
	In            ssa.Instruction
}

// Ownerships returns those of the package: of each kind that is passed to a function which takes any.
func Ownerships(p Package) []Ownership {
	o := &ownerships{p: p}
	for in := range flow.Instrs(p.All()...) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			o.call(in)
		case *ssa.Store:
			if fa, ok := in.Addr.(*ssa.FieldAddr); ok && MetadataField(fa) == MetaOwnerReferences {
				o.list(in.Val, withMetadata(fa.X), in)
			}
		}
	}
	return o.all
}

type ownerships struct {
	p   Package
	all []Ownership
}

func (o *ownerships) call(in ssa.CallInstruction) {
	callee, args := flow.Callee(in.Common()), flow.AllArgs(in.Common())
	switch sym := Called(in.Common()); {
	case sym.Pkg == ControllerUtil && sym.Name == "SetOwnerReference":
		o.give(args[0], args[1], "", flow.False, in)
	case sym.Pkg == ControllerUtil && sym.Name == "SetControllerReference":
		o.give(args[0], args[1], "", flow.True, in)
	case callee == nil:
	case SetterOf(callee) == MetaOwnerReferences:
		o.list(args[1], MetadataOwner(args[0]), in)
	case CopiesInto(callee):
		// What becomes a copy of another object of its kind has the owners that such an object is given.
		if from, into := MetadataOwner(args[0]), MetadataOwner(args[1]); IsObject(into.Type()) && !types.Identical(from.Type(), into.Type()) {
			o.give(nil, into, "", flow.Unknown, in)
		}
	case o.p.Callee(in.Common()) == nil && !Logs(callee):
		// A function that is not known and gets both may do anything.
		for i, owner := range args {
			for j, object := range args {
				if i != j && IsObject(owner.Type()) && IsObject(object.Type()) {
					o.give(MetadataOwner(owner), MetadataOwner(object), "", flow.Unknown, in)
				}
			}
		}
	}
}

// list notes the references in v, which object gets.
func (o *ownerships) list(v, object ssa.Value, in ssa.Instruction) {
	v = flow.Resolve(v)
	if call, ok := v.(*ssa.Call); ok && len(call.Call.Args) == 2 && flow.Builtin(&call.Call) == "append" {
		v = flow.Resolve(call.Call.Args[1])
	}
	s, ok := v.(*ssa.Slice)
	made, written := (*ssa.Alloc)(nil), false
	if ok {
		made, written = s.X.(*ssa.Alloc)
	}
	if !written {
		if !flow.IsNil(v) {
			o.give(nil, object, "", flow.Unknown, in)
		}
		return
	}
	for ref := range flow.Referrers[*ssa.IndexAddr](made) {
		owner, kind, controller := reference(ref)
		o.give(owner, object, kind, controller, in)
	}
}

// withMetadata returns the object whose metadata is at addr, or gets a copy of the variable at addr.
func withMetadata(addr ssa.Value) ssa.Value {
	if local, ok := addr.(*ssa.Alloc); ok {
		for load := range flow.Referrers[*ssa.UnOp](local) {
			for st := range flow.Referrers[*ssa.Store](load) {
				if st.Val == ssa.Value(load) && MetadataOwner(st.Addr) != st.Addr {
					return MetadataOwner(st.Addr)
				}
			}
		}
	}
	return MetadataOwner(addr)
}

// reference returns what the owner reference at addr says of the owner: a part of it, or its kind.
func reference(addr ssa.Value) (owner ssa.Value, kind string, controller flow.Truth) {
	for st := range flow.StoresTo(addr) { // as a whole
		if load, ok := st.Val.(*ssa.UnOp); ok {
			if local, ok := load.X.(*ssa.Alloc); ok {
				return reference(local)
			}
		}
		return nil, "", flow.Unknown
	}
	controller = flow.False
	for f, st := range flow.FieldsSet(addr) {
		switch f.Name() {
		case "Controller":
			if !flow.IsNil(st.Val) {
				controller = flow.Unknown
			}
		case "Kind":
			kind, _ = flow.Text(st.Val)
		case "UID":
			owner = AlwaysSetOf(flow.Resolve(st.Val))
		}
	}
	return owner, kind, controller
}

// give notes that object gets owner; of what a function takes as any object, it is one for each caller.
func (o *ownerships) give(owner, object ssa.Value, kind string, controller flow.Truth, in ssa.Instruction) {
	seen := map[ssa.CallInstruction]bool{}
	var give func(owner, object ssa.Value)
	give = func(owner, object ssa.Value) {
		for _, v := range []ssa.Value{owner, object} {
			param, ok := anyObject(v)
			if !ok {
				continue
			}
			fn := param.Parent()
			for _, call := range o.p.Callers(fn) {
				args := flow.AllArgs(call.Common())
				if seen[call] || len(args) != len(fn.Params) {
					continue
				}
				seen[call] = true
				give(argument(owner, fn, args), argument(object, fn, args))
			}
			return
		}
		o.all = append(o.all, Ownership{concrete(owner), concrete(object), kind, controller, in})
	}
	give(owner, object)
}

// anyObject returns the parameter that v is, where its type is an interface.
func anyObject(v ssa.Value) (*ssa.Parameter, bool) {
	if v == nil || !types.IsInterface(flow.Unwrap(flow.Resolve(v)).Type()) {
		return nil, false
	}
	p, ok := flow.Unwrap(flow.Resolve(v)).(*ssa.Parameter)
	return p, ok
}

// argument returns what v, a value of fn, is for a caller that passes it args.
func argument(v ssa.Value, fn *ssa.Function, args []ssa.Value) ssa.Value {
	if v == nil {
		return nil
	}
	if i := flow.ParamIndex(fn, flow.Unwrap(flow.Resolve(v))); i >= 0 {
		return args[i]
	}
	return v
}

// concrete returns the type of the object that v is, nil if that may be any.
func concrete(v ssa.Value) types.Type {
	if v == nil || IsObjectMeta(v.Type()) {
		return nil
	}
	return watchedKind(flow.Unwrap(v))
}
