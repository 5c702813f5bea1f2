// Package flow answers questions about SSA and control flow that more than one rule asks: who is called, which blocks
// reach which, what dominates what, and whether two values name the same place.
package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Callee returns the function or method that call names, uninstantiated: the static callee's object, or the interface
// method. It is nil for a call of a function value that is not known.
func Callee(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if fn := StaticCallee(call); fn != nil {
		return Object(fn)
	}
	return nil
}

// Object returns the declared function or method behind fn: its own object, the origin's for an instance, the
// method's for a bound-method or promotion wrapper; nil for a function literal.
func Object(fn *ssa.Function) *types.Func {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.Origin()
	}
	return nil
}

// StaticCallee returns the SSA function that call surely runs: a function, a method with a concrete receiver, or a
// literal called through the variable that holds only it. An instance returns its origin. It is nil if that is not
// known.
func StaticCallee(call *ssa.CallCommon) *ssa.Function {
	if call.IsInvoke() {
		return nil
	}
	fn := FuncValue(call.Value)
	if fn != nil && len(fn.FreeVars) == 1 && strings.HasPrefix(fn.Synthetic, "bound method") {
		return nil // x.m as a value: the receiver is not among the arguments
	}
	return fn
}

// FuncValue returns the one function that v holds, or nil.
func FuncValue(v ssa.Value) *ssa.Function {
	for {
		v = Unwrap(v)
		switch x := v.(type) {
		case *ssa.Function:
			if o := x.Origin(); o != nil {
				return o
			}
			return x
		case *ssa.MakeClosure:
			return x.Fn.(*ssa.Function)
		case *ssa.UnOp:
			if v = SingleStore(x.X); v == nil {
				return nil
			}
		default:
			return nil
		}
	}
}

// Recv returns the receiver of a method call, nil for any other call.
func Recv(call *ssa.CallCommon) ssa.Value {
	if call.IsInvoke() {
		return call.Value
	}
	if call.Signature().Recv() != nil && len(call.Args) > 0 {
		return call.Args[0]
	}
	return nil
}

// Args returns the arguments of call without the receiver.
func Args(call *ssa.CallCommon) []ssa.Value {
	if !call.IsInvoke() && call.Signature().Recv() != nil && len(call.Args) > 0 {
		return call.Args[1:]
	}
	return call.Args
}

// AllArgs returns the receiver, if any, and the arguments, in the order of the callee's ssa.Function.Params.
func AllArgs(call *ssa.CallCommon) []ssa.Value {
	if call.IsInvoke() {
		return append([]ssa.Value{call.Value}, call.Args...)
	}
	return call.Args
}

// Unwrap takes off conversions that keep the identity of a value.
func Unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// Pointee returns what t points to, t itself where it is no pointer.
func Pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsBoxed reports whether v is an interface that holds a value, which makes it not nil whatever the value is.
func IsBoxed(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			return true
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return false
		}
	}
}

// Resolve follows v through conversions, loads of variables that are written once, free variables of closures made in
// one place, and phis whose edges agree, to the value it must be.
func Resolve(v ssa.Value) ssa.Value {
	var seen map[ssa.Value]bool
	for n := 0; ; n++ {
		v = Unwrap(v)
		if n >= 16 { // it may go in a circle, as with a variable whose one store is made of itself
			if seen[v] {
				return v
			}
			if seen == nil {
				seen = map[ssa.Value]bool{}
			}
			seen[v] = true
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Block() == x.Parent().Recover { // where any result may be zero
				return v
			}
			if s := SingleStore(x.X); s != nil {
				v = s
				continue
			}
			if s := storedBefore(x); s != nil {
				v = s
				continue
			}
		case *ssa.FreeVar:
			if b := Binding(x); b != nil {
				v = b
				continue
			}
		case *ssa.TypeAssert:
			if !x.CommaOk {
				v = x.X
				continue
			}
		case *ssa.Phi:
			if one := onlyEdge(x); one != nil {
				v = one
				continue
			}
		}
		return v
	}
}

func onlyEdge(phi *ssa.Phi) ssa.Value {
	var one ssa.Value
	for _, e := range phi.Edges {
		if e == ssa.Value(phi) {
			continue
		}
		if one != nil && one != e {
			return nil
		}
		one = e
	}
	return one
}

// SingleStore returns the only value that is ever stored to the variable at addr (a local variable, possibly
// captured); nil where there is none, more than one, where the address goes elsewhere, or where the function that
// stores it may read it before: that finds the zero value, and a value may be made of itself, as in i = a[i].
func SingleStore(addr ssa.Value) ssa.Value {
	if fv, ok := addr.(*ssa.FreeVar); ok {
		b := Binding(fv)
		if b == nil {
			return nil
		}
		return SingleStore(b)
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var only *ssa.Store
	if !scanStores(alloc, &only) || only == nil || only.Parent() != alloc.Parent() {
		return nil
	}
	for _, r := range *alloc.Referrers() {
		// The block in which a function comes back from a panic reads its results, whatever they are then.
		load, ok := r.(*ssa.UnOp)
		if ok && load.Block() != load.Parent().Recover && !Dominates(only, load) {
			return nil
		}
	}
	return only.Val
}

// storedBefore returns what load finds in a variable that only deferred functions share with its function, where one
// store is the last one on every path to it; nil if that cannot be said. Named results that a deferred function looks
// at are such variables.
func storedBefore(load *ssa.UnOp) ssa.Value {
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok || load.Op != token.MUL || !sharedAtEnd(alloc) {
		return nil
	}
	b := load.Block()
	for i := slices.Index(b.Instrs, ssa.Instruction(load)); ; {
		for i--; i >= 0; i-- {
			switch in := b.Instrs[i].(type) {
			case *ssa.Store:
				if in.Addr == ssa.Value(alloc) {
					return in.Val
				}
			case *ssa.RunDefers:
				return nil
			}
		}
		if len(b.Preds) != 1 || b.Idom() == nil {
			return nil
		}
		b = b.Idom()
		i = len(b.Instrs)
	}
}

// sharedAtEnd reports whether nothing but loads and stores is done with the variable before its function returns:
// some literal has it, or a call is given its address, and is deferred.
func sharedAtEnd(alloc *ssa.Alloc) bool {
	shared := false
	for _, r := range *alloc.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(alloc) {
				return false
			}
		case *ssa.UnOp:
		case *ssa.Defer:
			shared = true
		case *ssa.MakeClosure:
			if shared = true; !OnlyDeferred(r) {
				return false
			}
		default:
			return false
		}
	}
	return shared
}

// scanStores walks the uses of a variable's address, in closures too; false if the variable is written twice or the
// address escapes.
func scanStores(addr ssa.Value, only **ssa.Store) bool {
	refs := addr.Referrers()
	if refs == nil {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr || *only != nil {
				return false
			}
			*only = r
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && !scanStores(fn.FreeVars[i], only) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// Binding returns what the free variable fv is bound to where its closure is made, nil if that happens in more than one
// place.
func Binding(fv *ssa.FreeVar) ssa.Value {
	mc := ClosureSite(fv.Parent())
	if mc == nil {
		return nil
	}
	for i, v := range fv.Parent().FreeVars {
		if v == fv {
			return mc.Bindings[i]
		}
	}
	return nil
}

// ClosureSite returns the one instruction that makes closures of fn, nil if there is none or more than one.
func ClosureSite(fn *ssa.Function) *ssa.MakeClosure {
	refs := fn.Referrers() // in the function around it; nil for a declared function
	if refs == nil {
		return nil
	}
	var site *ssa.MakeClosure
	for _, r := range *refs {
		if mc, ok := r.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) {
			if site != nil {
				return nil
			}
			site = mc
		}
	}
	return site
}

// OnlyDeferred reports whether all that is done with the closure mc is to defer it.
func OnlyDeferred(mc *ssa.MakeClosure) bool {
	return !Any(Referrers[ssa.Instruction](mc), func(r ssa.Instruction) bool {
		d, ok := r.(*ssa.Defer)
		return !ok || d.Call.Value != ssa.Value(mc)
	})
}

// IsFunc reports whether v is a function value.
func IsFunc(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Signature); return ok }

// IsStruct reports whether t is one of structs.
func IsStruct(t types.Type) bool { _, ok := t.Underlying().(*types.Struct); return ok }

// StoredOnce returns the only value that is stored to the variable at addr, whatever becomes of its fields; nil if
// there is none or more than one.
func StoredOnce(addr ssa.Value) ssa.Value {
	if addr.Referrers() == nil {
		return nil
	}
	var only ssa.Value
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != addr {
				continue
			}
			if only != nil {
				return nil
			}
			only = r.Val
		case *ssa.MakeClosure:
			if WritesBinding(r, addr) {
				return nil
			}
		}
	}
	return only
}

// Builtin returns the name of the built-in function that call calls, "" for any other call.
func Builtin(call *ssa.CallCommon) string {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}

// Closed returns the channel that call closes, nil for any other call.
func Closed(call *ssa.CallCommon) ssa.Value {
	if Builtin(call) == "close" {
		return call.Args[0]
	}
	return nil
}
