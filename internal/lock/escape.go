package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// Escape analysis for objects with locks: as long as a new object has not escaped, its locks are uncontended, and a
// leak of one is harmless.

// unshared reports whether the object at the root of p is allocated in the function of at, or by a constructor that it
// calls, and has not escaped at at.
func (e *engine) unshared(p flow.Path, at ssa.Instruction) bool {
	if at == nil || p.Root == nil || !withinObject(p) {
		return false
	}
	made, ok := e.allocation(p.Root)
	return ok && made.Parent() == at.Parent() && !e.hasEscaped(p.Root, at)
}

// withinObject reports whether what p names lies by value in the object at its root: what a pointer in there leads to,
// others may have.
func withinObject(p flow.Path) bool {
	return !slices.ContainsFunc(p.Steps(), func(s flow.Step) bool {
		if s.Field == nil {
			return true
		}
		switch s.Field.Type().Underlying().(type) {
		case *types.Struct, *types.Array:
			return false
		}
		return true
	})
}

// allocation is the instruction that allocates the object v or calls a constructor for it; false for other values.
func (e *engine) allocation(v ssa.Value) (ssa.Instruction, bool) {
	switch x := v.(type) {
	case *ssa.Alloc:
		return x, x.Heap
	case *ssa.Extract:
		call, ok := x.Tuple.(*ssa.Call)
		return x, ok && x.Index == 0 && e.isConstructor(flow.StaticCallee(&call.Call))
	case *ssa.Call:
		return x, e.isConstructor(flow.StaticCallee(&x.Call))
	}
	return nil, false
}

// isConstructor reports whether the first result of fn, unless it is nil, is a new object that has not escaped from
// fn.
func (e *engine) isConstructor(fn *ssa.Function) bool {
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	return e.constructs.Ask(fn, false, func() bool { // mutually recursive functions are no constructors
		a := e.newObject(fn)
		return a != nil && !flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool { return e.hasEscaped(a, ret) })
	})
}

// newObject is the new object that fn returns, and makes itself or has from a function that does; nil where there is
// none.
func (e *engine) newObject(fn *ssa.Function) ssa.Value {
	if a := newObject(fn); a != nil && a.Heap {
		return a
	}
	var made ssa.Value
	for ret := range flow.Returns(fn) {
		if len(ret.Results) == 0 {
			return nil
		}
		if ret.Block() == fn.Recover {
			continue // it returns what was stored before the panic
		}
		v, _ := flow.Returned(ret, 0)
		if v = flow.Resolve(v); flow.IsNil(v) {
			continue
		}
		if _, ok := e.allocation(v); !ok || made != nil && made != v {
			return nil
		}
		made = v
	}
	return made
}

// paramEscapes reports whether fn, or a callee, may let its parameter p escape.
func (e *engine) paramEscapes(p *ssa.Parameter) bool {
	return e.giving.Ask(p, true, func() bool { return e.hasEscaped(p, nil) })
}

// hasEscaped reports whether v, or a part of it, may have escaped when control is at at; anywhere if at is nil. Lock
// operations let nothing escape, and neither do known functions that do not keep the argument.
func (e *engine) hasEscaped(v ssa.Value, at ssa.Instruction) bool {
	return e.escapes(v, at, map[ssa.Value]bool{})
}

// escapes is hasEscaped. Seen are the values that are being looked at: variables that are set to each other lead round.
func (e *engine) escapes(v ssa.Value, at ssa.Instruction, seen map[ssa.Value]bool) bool {
	if v.Referrers() == nil {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
			continue
		case *ssa.UnOp: // a pointer in it leads to another object
			continue
		case *ssa.Store:
			if r.Addr == v {
				continue
			}
			if fa, ok := r.Addr.(*ssa.FieldAddr); ok && seen[fa.X] { // it becomes a part of the object itself
				continue
			}
			if cell, ok := r.Addr.(*ssa.Alloc); ok && !e.cellEscapes(cell, at, seen) {
				continue
			}
		case *ssa.FieldAddr, *ssa.MakeInterface:
			if e.escapes(r.(ssa.Value), at, seen) {
				return true
			}
			continue
		case *ssa.Return:
			continue // see escapesAt in leak.go
		case ssa.CallInstruction:
			if e.keepsNoArgument(r.Common()) {
				continue
			}
			if c, ok := r.(*ssa.Call); ok &&
				(kubeapi.Symbol{Pkg: "sync", Name: "NewCond"}).Is(flow.Callee(&c.Call)) && !e.escapes(c, at, seen) {
				continue
			}
			if _, ok := r.(*ssa.Go); !ok && !e.escapesIn(r, v) {
				continue
			}
		}
		if at == nil || flow.Reaches(r, at, nil) {
			return true
		}
	}
	return false
}

// keepsNoArgument reports whether call is one that acts on a lock, a group or a condition, and has it no longer when it
// is over.
func (e *engine) keepsNoArgument(call *ssa.CallCommon) bool {
	if _, ok := e.opOf(call); ok {
		return true
	}
	switch s := kubeapi.SymbolOf(flow.Callee(call)); {
	case s.Pkg != "sync":
	case s.Recv == "WaitGroup":
		return s.Name != "Go"
	case s.Recv == "Cond":
		return true
	}
	return false
}

// cellEscapes is hasEscaped for what is in a variable.
func (e *engine) cellEscapes(cell ssa.Value, at ssa.Instruction, seen map[ssa.Value]bool) bool {
	if seen[cell] {
		return false
	}
	seen[cell] = true
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			if r.Addr == cell {
				return false
			}
		case *ssa.UnOp:
			if !e.escapes(r, at, seen) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			if i := slices.Index(r.Bindings, cell); i >= 0 && inPlace(fn) && !e.cellEscapes(fn.FreeVars[i], nil, seen) {
				return false
			}
		}
		return at == nil || r.Parent() != at.Parent() || flow.Reaches(r, at, nil)
	})
}

// escapesIn reports whether a function that at may run may keep v, an argument.
func (e *engine) escapesIn(at ssa.CallInstruction, v ssa.Value) bool {
	call := at.Common()
	kept := func(fn *ssa.Function, args []ssa.Value) bool {
		if fn == nil || len(fn.Blocks) == 0 || call.Value == v {
			return true
		}
		for i, a := range args {
			if a == v && (i >= len(fn.Params) || e.paramEscapes(fn.Params[i])) {
				return true
			}
		}
		return false
	}
	if fn := flow.StaticCallee(call); fn != nil && fn.Synthetic == "" && !call.IsInvoke() {
		return kept(fn, flow.AllArgs(call))
	}
	targets, all := e.origins.Targets(at)
	return !all || len(targets) == 0 || slices.ContainsFunc(targets, func(t origin.Target) bool {
		return t.Sel != "" || !slices.Contains(t.Args, v) || kept(t.Fn, t.Args)
	})
}
