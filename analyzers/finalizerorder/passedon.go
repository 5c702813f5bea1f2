package finalizerorder

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// passedOn reports whether the finalizers that the object of e has behind it are read in f and put on another object, as on one that is got anew, there
// or in a function that they are given to.
func passedOn(e event, f *ssa.Function) bool {
	for in := range flow.Instrs(f) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		args := flow.AllArgs(call.Common())
		if slices.ContainsFunc(args, func(arg ssa.Value) bool {
			return isStrings(arg.Type()) && readBehind(e, f, arg) && putsElsewhere(e, call, arg)
		}) {
			return true
		}
	}
	return false
}

// readBehind reports whether list is the finalizers of the object of e, read behind it in f.
func readBehind(e event, f *ssa.Function, list ssa.Value) bool {
	owner := listOwner(list)
	read, ok := flow.Resolve(list).(ssa.Instruction)
	return ok && owner.Known() && rootedAt(owner.Root, e.obj.path.Root) && (f != e.in.Parent() || flow.Reaches(e.in, read, nil))
}

// putsElsewhere reports whether call, which is given the finalizers list of the object of e, puts them on another object. It may do so where it is out of
// sight and has what a request needs.
func putsElsewhere(e event, call ssa.CallInstruction, list ssa.Value) bool {
	if x := listTaker(call, list); x != nil {
		return !rootedAt(x, e.obj.path.Root)
	}
	args := flow.AllArgs(call.Common())
	fn := flow.StaticCallee(call.Common())
	if fn == nil || fn.Blocks == nil {
		return slices.ContainsFunc(args, func(arg ssa.Value) bool { return isClient(arg.Type()) || kube.IsContext(arg.Type()) })
	}
	i := slices.Index(args, list)
	if i >= len(fn.Params) {
		return false
	}
	for _, g := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		for in := range flow.Instrs(g) {
			x := listTaker(in, fn.Params[i])
			if x == nil {
				continue
			}
			path := flow.PathOf(x)
			if p, ok := flow.Substitute(path, fn, args); ok {
				path = p
			}
			if path.Root != e.obj.path.Root {
				return true
			}
		}
	}
	return false
}

// listTaker is the object that in gives the finalizers list, nil where it does nothing of the kind.
func listTaker(in ssa.Instruction, list ssa.Value) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		if flow.Resolve(in.Val) == flow.Resolve(list) {
			return finalizersField(in.Addr)
		}
	case ssa.CallInstruction:
		args := flow.Args(in.Common())
		if fn := flow.Callee(in.Common()); fn != nil && fn.Name() == "SetFinalizers" && len(args) == 1 && flow.Resolve(args[0]) == flow.Resolve(list) {
			return flow.Recv(in.Common())
		}
	}
	return nil
}
