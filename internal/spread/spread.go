// Package spread is an interprocedural forward slice over one package: from values with a property, such as being in
// map order, to what is made of them and to the objects that get one in a field.
package spread

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// An Item is a value that may have the property, or contain one that has it.
type Item struct {
	Val  ssa.Value
	In   Part      // the field that has the property, somewhere in Val; zero if Val has it itself
	Sink Part      // the last field on the way for which [Trace.IsSink] is true
	At   token.Pos // where that is stored
	via  *activation
}

// An activation is a call by which the trace has entered a function, on the stack of such calls: results go back there.
type activation struct {
	call   ssa.CallInstruction
	caller *activation
}

// Calls are the calls by which the trace has come to the function of it, the last one first.
func (it Item) Calls() (calls []ssa.CallInstruction) {
	for a := it.via; a != nil; a = a.caller {
		calls = append(calls, a.call)
	}
	return calls
}

// A Trace is a forward may-analysis: through variables, fields, elements, calls and returns, and what a loop builds by
// one addition for each element. It is flow-insensitive, field-sensitive, tells objects apart by where they are made or
// read, and is context-sensitive in that what is found in a callee goes back to the call by which it was entered. A
// value is followed once, for the context in which it is found first.
type Trace struct {
	// IsSink reports whether a field with the property is a sink.
	IsSink func(Part) bool
	// Call is asked of each use as an argument before the trace follows it: done ends that use, and stop the trace.
	Call func(it Item, in ssa.CallInstruction) (done, stop bool)
	// Counts reports whether stores in a block, to a part of an object with that address, are followed.
	Counts func(b *ssa.BasicBlock, addr ssa.Value) bool
	// Leave is called for each result of an exported function that the trace has come to. It may be nil.
	Leave func(fn *types.Func, result int, it Item)

	Items []Item // what was found

	calls *program.Program
	seen  map[Item]bool
	given map[Item]bool // arguments whose holders were followed, of recursive functions, too
	used  map[use]bool
	known map[[2]types.Type]bool
	stop  bool
}

type use struct {
	it Item
	in ssa.Instruction
}

// New is a trace through the package of p.
func New(p *program.Program) *Trace {
	return &Trace{calls: p, seen: map[Item]bool{}, given: map[Item]bool{}, used: map[use]bool{}, known: map[[2]types.Type]bool{}}
}

// Add adds v, which stands to the property as it does.
func (t *Trace) Add(it Item, v ssa.Value) {
	it.Val = v
	if key := (Item{Val: v, In: it.In}); v != nil && !t.seen[key] {
		t.seen[key] = true
		t.Items = append(t.Items, it)
	}
}

// Reached reports whether v has the property, or is known to contain a value with it.
func (t *Trace) Reached(v ssa.Value) bool {
	return slices.ContainsFunc(t.Items, func(it Item) bool { return it.Val == v })
}

// Run follows what was added.
func (t *Trace) Run() {
	for i := 0; i < len(t.Items) && !t.stop; i++ {
		it := t.Items[i]
		uses := values.From(it.Val)
		uses.Skip = func(in ssa.Instruction) bool {
			assert, ok := in.(*ssa.TypeAssert)
			return ok && it.In.Field != nil && !t.Contains(assert.AssertedType, it.In.Owner)
		}
		for in, v := range uses.Uses() {
			if key := (use{Item{Val: v, In: it.In}, in}); !t.used[key] {
				t.used[key] = true
				it.Val = v
				t.use(it, in)
			}
		}
	}
}

// use follows one use of it.
func (t *Trace) use(it Item, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		t.Store(it, in.Addr, in.Pos())
	case *ssa.Slice:
		if in.X == it.Val {
			t.Add(it, in)
		}
	case *ssa.Convert, *ssa.SliceToArrayPointer, *ssa.MultiConvert:
		t.Add(it, in.(ssa.Value))
	case *ssa.BinOp:
		if in.Op == token.ADD && it.In.Field == nil {
			t.Add(it, in)
		}
	case *ssa.FieldAddr:
		t.field(it, in, flow.Field(in.X.Type(), in.Field))
	case *ssa.Field:
		t.field(it, in, flow.Field(in.X.Type(), in.Field))
	case *ssa.IndexAddr:
		t.element(it, in, in.Index)
	case *ssa.Index:
		t.element(it, in, in.Index)
	case *ssa.Lookup:
		if in.X == it.Val {
			t.entry(it, in)
		}
	case *ssa.Range:
		for next := range flow.Referrers[*ssa.Next](in) {
			t.entry(it, next)
		}
	case *ssa.MapUpdate:
		if in.Value == it.Val && in.Map != it.Val {
			t.Add(it, in.Map)
			if fa := flow.LoadedFrom(in.Map); fa != nil {
				t.Store(it, fa, in.Pos())
			}
			if field, obj := kubeapi.MetaRead(in.Map); field == kubeapi.MetaAnnotations && it.In.Field == nil {
				t.annotated(it, obj, in.Pos())
			}
		}
	case *ssa.Return:
		t.returned(it, in)
	case ssa.CallInstruction:
		t.call(it, in)
	}
}

// field follows the field f of a struct.
func (t *Trace) field(it Item, v ssa.Value, f *types.Var) {
	switch {
	case f == nil || it.In.Field == nil:
	case f.Origin() == it.In.Field:
		it.In = Part{}
		t.Add(it, v)
	case t.Contains(f.Type(), it.In.Owner):
		t.Add(it, v)
	}
}

// element follows an element of a list, and what a loop over a list with the property makes of its elements.
func (t *Trace) element(it Item, v ssa.Value, index ssa.Value) {
	if it.In.Field != nil {
		if t.Contains(v.Type(), it.In.Owner) {
			t.Add(it, v)
		}
	} else if header := flow.RangeHeader(index); header != nil {
		t.Built(it, header, func(x ssa.Value) bool { return x == v })
	}
}

// entry follows the values of the entries of a map, which in gives.
func (t *Trace) entry(it Item, in ssa.Value) {
	if _, tuple := in.Type().(*types.Tuple); !tuple {
		t.Add(it, in)
		return
	}
	for x := range flow.Referrers[*ssa.Extract](in) {
		if _, next := in.(*ssa.Next); next && x.Index == 2 || !next && x.Index == 0 {
			t.Add(it, x)
		}
	}
}

// Built adds what the loop with that header builds of its elements, and gives the first addition; nil for none.
func (t *Trace) Built(it Item, header *ssa.BasicBlock, element func(ssa.Value) bool) (first ssa.Instruction) {
	loop := flow.LoopOf(header)
	if loop == nil { // each way through it leaves
		return nil
	}
	for in, to := range built(loop, element) {
		if first == nil {
			first = in
		}
		if st, ok := in.(*ssa.Store); ok && st.Addr == to {
			t.Store(it, to, in.Pos())
		} else {
			t.Add(it, to)
		}
	}
	return first
}

// Store follows what is stored at addr into the struct or list that addr is a part of, where such stores count.
func (t *Trace) Store(it Item, addr ssa.Value, at token.Pos) {
	if in, ok := addr.(ssa.Instruction); ok && !t.Counts(in.Block(), addr) {
		return
	}
	if fa, ok := addr.(*ssa.FieldAddr); ok && it.In.Field == nil {
		p, ok := PartOf(fa.X.Type(), fa.Field)
		if !ok {
			return
		}
		it = t.stored(it, p, at)
	}
	t.holder(it, addr)
}

// stored is it in the field p.
func (t *Trace) stored(it Item, p Part, at token.Pos) Item {
	if it.In = p; t.IsSink(p) {
		it.Sink, it.At = p, at
	}
	return it
}

// annotated follows an annotation of obj.
func (t *Trace) annotated(it Item, obj ssa.Value, at token.Pos) {
	if owner, f := kubeapi.AnnotationsOf(obj.Type()); f != nil {
		t.holder(t.stored(it, Part{owner, f}, at), obj)
	}
}

// holder follows the objects and lists that v is a part of, or the address of a part of: also the arguments of callers.
func (t *Trace) holder(it Item, v ssa.Value) {
	from := values.From(v)
	for x := range from.Resolved() {
		switch x := x.(type) {
		case *ssa.FieldAddr:
			from.Add(x.X)
			continue
		case *ssa.IndexAddr:
			from.Add(x.X)
		case *ssa.Slice:
			from.Add(x.X)
		case *ssa.Lookup:
			from.Add(x.X)
		case *ssa.UnOp:
			if x.Op == token.MUL {
				from.Add(x.X)
			}
		case *ssa.Parameter:
			t.arguments(it, x)
		default:
			from.Add(values.Sources(x)...)
		}
		t.Add(it, x)
	}
}

// arguments follows the parameter p, a holder, to what the callers give for it: the one that the trace came by, or all.
func (t *Trace) arguments(it Item, p *ssa.Parameter) {
	for it.via != nil && t.calls.Callee(it.via.call.Common()) != p.Parent() {
		it.via = it.via.caller // of a function literal in that function
	}
	calls := t.calls.Callers(p.Parent())
	if it.via != nil {
		calls = []ssa.CallInstruction{it.via.call}
		it.via = it.via.caller
	}
	for _, call := range calls {
		i, args := flow.ParamIndex(p.Parent(), p), flow.AllArgs(call.Common())
		if t.calls.Callee(call.Common()) != p.Parent() || i >= len(args) {
			continue
		}
		if key := (Item{Val: args[i], In: it.In}); !t.seen[key] && !t.given[key] && t.Counts(call.Block(), args[i]) {
			t.given[key] = true
			t.holder(it, args[i])
		}
	}
}

// returned follows a result to the callers.
func (t *Trace) returned(it Item, ret *ssa.Return) {
	fn, i := ret.Parent(), slices.Index(ret.Results, it.Val)
	calls := t.calls.Callers(fn)
	if it.via != nil && t.calls.Callee(it.via.call.Common()) == fn {
		calls = []ssa.CallInstruction{it.via.call}
		it.via = it.via.caller
	} else if obj := flow.Object(fn); obj != nil && obj.Exported() && t.Leave != nil {
		t.Leave(obj, i, it)
	}
	for _, c := range calls {
		if call, ok := c.(*ssa.Call); ok {
			t.Add(it, flow.ResultAt(call, i))
		}
	}
}

// call follows it into a call.
func (t *Trace) call(it Item, in ssa.CallInstruction) {
	done, stop := t.Call(it, in)
	if t.stop = t.stop || stop; done || stop {
		return
	}
	common, has := in.Common(), it.In.Field == nil
	fn := flow.Callee(common)
	result, _ := in.(*ssa.Call)
	switch {
	case flow.Builtin(common) == "append", kubeapi.IsDeepCopy(fn):
		t.Add(it, result)
	case kubeapi.AppendsText(fn):
		if has {
			t.Add(it, flow.AllArgs(common)[0])
		}
	case kubeapi.KeepsOrder(fn):
		it.In = Part{}
		t.Results(it, result)
	case kubeapi.GetterOf(fn) == kubeapi.MetaAnnotations && !has:
		if it.In.Field.Name() == string(kubeapi.MetaAnnotations) {
			it.In = Part{}
			t.Add(it, result)
		}
	case kubeapi.SetterOf(fn) == kubeapi.MetaAnnotations && has:
		t.annotated(it, kubeapi.MetadataOwner(flow.Recv(common)), in.Pos())
	case t.calls.Callee(common) != nil:
		params := values.Parameters(t.calls.Callee(common), common, it.Val)
		it.via = &activation{in, it.via}
		for _, p := range params {
			t.Add(it, p)
		}
	}
}

// Results adds the results of call that are lists or text.
func (t *Trace) Results(it Item, call *ssa.Call) {
	if call == nil {
		return
	}
	for i := range call.Call.Signature().Results().Len() {
		if r := flow.ResultAt(call, i); r != nil {
			switch r.Type().Underlying().(type) {
			case *types.Slice, *types.Array:
				t.Add(it, r)
			default:
				if flow.IsString(r.Type()) {
					t.Add(it, r)
				}
			}
		}
	}
}

// Contains reports whether a struct of type owner, nil for any object, may be reached from a value of that type by
// fields, elements and pointers. An interface of objects reaches all of them.
func (t *Trace) Contains(of types.Type, owner *types.Named) bool {
	key := [2]types.Type{of, owner}
	known, ok := t.known[key]
	if !ok {
		known = contains(of, owner, map[types.Type]bool{})
		t.known[key] = known
	}
	return known
}

func contains(t types.Type, owner *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch x := t.(type) {
	case *types.Named:
		return owner != nil && x.Origin() == owner || owner == nil && kubeapi.IsObject(types.NewPointer(x)) || contains(x.Underlying(), owner, seen)
	case *types.Interface:
		return kubeapi.IsObject(x)
	case *types.Struct:
		return flow.Any(x.Fields(), func(f *types.Var) bool { return contains(f.Type(), owner, seen) })
	case interface{ Elem() types.Type }:
		return contains(x.Elem(), owner, seen)
	}
	return false
}
