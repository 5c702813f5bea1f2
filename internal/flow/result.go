package flow

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsError reports whether t is the type error.
func IsError(t types.Type) bool {
	return types.Identical(t.Underlying(), types.Universe.Lookup("error").Type().Underlying())
}

// IsString reports whether t is a string, or a type made of it.
func IsString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// IsBool reports whether t is a boolean type.
func IsBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// IsEmptyStruct reports whether a value of type t has nothing in it.
func IsEmptyStruct(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// IsInteger reports whether t is a type of whole numbers.
func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// ErrorResult returns the index of the error that is the last result of sig, -1 for none.
func ErrorResult(sig *types.Signature) int {
	n := sig.Results().Len()
	if n > 0 && IsError(sig.Results().At(n-1).Type()) {
		return n - 1
	}
	return -1
}

// ErrorOf returns the error that call returns as its last result, nil if it returns none or it is not used.
func ErrorOf(call *ssa.Call) ssa.Value { return ResultAt(call, ErrorResult(call.Call.Signature())) }

// ResultAt returns result i of call, nil if it is not used.
func ResultAt(call *ssa.Call, i int) ssa.Value {
	if n := call.Call.Signature().Results().Len(); i < 0 || i >= n {
		return nil
	} else if n == 1 {
		return call
	}
	return Extracted(call, i)
}

// Extracted returns part i of the tuple v, nil if it is not used.
func Extracted(v ssa.Value, i int) ssa.Value {
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// ResultOf returns the call that v is a result of, and which one; nil for other values.
func ResultOf(v ssa.Value) (*ssa.Call, int) {
	switch v := v.(type) {
	case *ssa.Call:
		return v, 0
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return c, v.Index
		}
	}
	return nil, 0
}

// Any2 reports whether is holds of a pair of seq.
func Any2[K, V any](seq iter.Seq2[K, V], is func(K, V) bool) bool {
	for k, v := range seq {
		if is(k, v) {
			return true
		}
	}
	return false
}

// Phis yields the phis of b, which come first in it.
func Phis(b *ssa.BasicBlock) iter.Seq[*ssa.Phi] {
	return func(yield func(*ssa.Phi) bool) {
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); !ok || !yield(phi) {
				return
			}
		}
	}
}

// Returns yields the return statements of fn, in the order of the blocks.
func Returns(fn *ssa.Function) iter.Seq[*ssa.Return] {
	return func(yield func(*ssa.Return) bool) {
		for _, b := range fn.Blocks {
			if ret := ReturnOf(b); ret != nil && !yield(ret) {
				return
			}
		}
	}
}

// ReturnOf returns the return statement at the end of b, nil where b does not end with one.
func ReturnOf(b *ssa.BasicBlock) *ssa.Return {
	if len(b.Instrs) == 0 {
		return nil
	}
	ret, _ := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	return ret
}

// Instrs returns the instructions of functions, in the order of their blocks.
func Instrs(fns ...*ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, fn := range fns {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if !yield(in) {
						return
					}
				}
			}
		}
	}
}

// Calls returns the calls, deferred calls and go statements of functions.
func Calls(fns ...*ssa.Function) iter.Seq[ssa.CallInstruction] {
	return InstrsOf[ssa.CallInstruction](fns...)
}

// Any reports whether is holds for an element of seq.
func Any[T any](seq iter.Seq[T], is func(T) bool) bool {
	for t := range seq {
		if is(t) {
			return true
		}
	}
	return false
}

// InstrsOf returns the instructions of functions of type T.
func InstrsOf[T any](fns ...*ssa.Function) iter.Seq[T] {
	return func(yield func(T) bool) {
		for in := range Instrs(fns...) {
			if x, ok := any(in).(T); ok && !yield(x) {
				return
			}
		}
	}
}

// ParamIndex returns the index of v among the parameters of fn, receiver first, -1 for other values.
func ParamIndex(fn *ssa.Function, v ssa.Value) int {
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return -1
	}
	return slices.Index(fn.Params, p)
}

// IsReceiver reports whether p is what a method is called on.
func IsReceiver(p *ssa.Parameter) bool {
	return p.Parent().Signature.Recv() != nil && ParamIndex(p.Parent(), p) == 0
}

// CaseOf returns where case i of sel begins, nil if nothing tells it from the others.
//
//	t1 = select blocking [...]
//	t2 = extract t1 #0
//	t3 = t2 == i
//	if t3 goto body else next
func CaseOf(sel *ssa.Select, i int) *ssa.BasicBlock {
	if test := CaseTest(sel, i); test != nil {
		return Side(test, True)
	}
	return nil
}

// CaseTest returns the test whose true side is case i of sel, nil if nothing tells it from the others.
func CaseTest(sel *ssa.Select, i int) *ssa.If {
	for _, r := range *sel.Referrers() {
		index, ok := r.(*ssa.Extract)
		if !ok || index.Index != 0 {
			continue
		}
		for _, r := range *index.Referrers() {
			eq, ok := r.(*ssa.BinOp)
			if !ok || eq.Op != token.EQL {
				continue
			}
			k, ok := eq.Y.(*ssa.Const)
			if !ok || k.Int64() != int64(i) {
				continue
			}
			for _, r := range *eq.Referrers() {
				if test, ok := r.(*ssa.If); ok {
					return test
				}
			}
		}
	}
	return nil
}

// Literals returns the function literals in fn, at any depth.
func Literals(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, a := range fn.AnonFuncs {
		out = append(append(out, a), Literals(a)...)
	}
	return out
}

// Returned is result i of ret. A result that a deferred function can read is in memory, and so are all results of a
// function with a defer: v is then the last value that is stored there on all paths to ret, or the load itself if there
// is no such store. Sure is false if a closure, or other code that has the address, may store to it before, so that v,
// the load, is not known.
func Returned(ret *ssa.Return, i int) (v ssa.Value, sure bool) {
	v = ret.Results[i]
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v, true
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v, true
	}
	for _, r := range *alloc.Referrers() {
		if sharesWrite(r, alloc) && Reaches(r, ret, nil) {
			return v, false
		}
	}
	return lastStored(alloc, load), true
}

// ReturnedError returns the error that ret returns, as [Returned] has it; nil if its function returns no error.
func ReturnedError(ret *ssa.Return) ssa.Value {
	i := ErrorResult(ret.Parent().Signature)
	if i < 0 || i >= len(ret.Results) {
		return nil
	}
	v, _ := Returned(ret, i)
	return v
}

// Given is result i of ret as the function itself returns it, whatever a deferred function makes of it.
func Given(ret *ssa.Return, i int) ssa.Value {
	load, ok := ret.Results[i].(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ret.Results[i]
	}
	if alloc, ok := load.X.(*ssa.Alloc); ok {
		return lastStored(alloc, load)
	}
	return load
}

// lastStored returns what was stored to the variable alloc last on the only way to load, or load itself where no such
// store is found.
func lastStored(alloc *ssa.Alloc, load *ssa.UnOp) ssa.Value {
	for b := load.Block(); ; b = b.Preds[0] {
		for _, in := range slices.Backward(b.Instrs) {
			st, ok := in.(*ssa.Store)
			if !ok || Base(st.Addr) != ssa.Value(alloc) {
				continue
			}
			if same, ok := st.Val.(*ssa.UnOp); ok && same.Op == token.MUL && same.X == st.Addr {
				continue // return err, of a result err
			}
			if st.Addr != ssa.Value(alloc) {
				return load
			}
			return st.Val
		}
		if len(b.Preds) != 1 {
			return load
		}
	}
}

// sharesWrite reports whether something else may store to the variable at addr, or to a part of it, since the use r
// of the address.
func sharesWrite(r ssa.Instruction, addr ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.UnOp:
		return false
	case *ssa.Store:
		return r.Addr != addr
	case *ssa.MakeClosure:
		return WritesBinding(r, addr)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		part := r.(ssa.Value)
		return slices.ContainsFunc(*part.Referrers(), func(r ssa.Instruction) bool { return sharesWrite(r, part) })
	}
	return true
}

// Base returns the address of the variable or object of which addr is a field or an element, addr itself for other
// addresses.
func Base(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return addr
		}
	}
}

// WritesBinding reports whether the closure may store to the captured variable.
func WritesBinding(mc *ssa.MakeClosure, variable ssa.Value) bool {
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b == variable && mayWrite(fn.FreeVars[i]) {
			return true
		}
	}
	return false
}

// mayWrite reports whether anything but loads is done with the place at addr, or with a part of it.
func mayWrite(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
		case *ssa.FieldAddr:
			if mayWrite(r) {
				return true
			}
		case *ssa.MakeClosure:
			if WritesBinding(r, addr) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
