package origin

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// at returns the node of k, made when first wanted.
func (ix *Index) at(k key) *node {
	n := ix.nodes[k]
	if n == nil {
		n = &node{id: len(ix.nodes)}
		ix.nodes[k] = n
	}
	return n
}

// value returns the node of v, nil for values that are not followed.
func (ix *Index) value(v ssa.Value) *node {
	if v == nil || !tracked(v.Type()) {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.FieldAddr, *ssa.IndexAddr: // an address and what is there are one node
		return ix.place(v)
	case *ssa.Function:
		n := ix.at(v)
		if len(n.funcs) == 0 {
			n.funcs = []Func{{Fn: method(x)}}
		}
		return n
	case *ssa.Global:
		n := ix.at(v)
		if !ix.main && token.IsExported(x.Name()) || x.Pkg != ix.pkg.Package {
			n.find().unknown = true
			n.find().escape |= Passed
			n.call(label{obj: x.Object()})
		}
		return n
	}
	return ix.at(v)
}

// method returns the declared method in a bound-method or method-expression wrapper, and fn itself otherwise.
func method(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Synthetic == "" {
		return fn
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if m := fn.Prog.FuncValue(obj.Origin()); m != nil {
			return m
		}
	}
	return fn
}

// place returns the node of what the address or reference v leads to.
func (ix *Index) place(v ssa.Value) *node {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return ix.field(x.X.Type(), x.Field)
	case *ssa.Field:
		return ix.field(x.X.Type(), x.Field)
	case *ssa.IndexAddr:
		return ix.value(x.X)
	}
	return ix.value(v)
}

// field returns the node of a struct field, one for all objects.
func (ix *Index) field(t types.Type, i int) *node {
	f := flow.Field(t, i)
	if f == nil || !tracked(f.Type()) && !tracked(types.NewPointer(f.Type())) {
		return nil
	}
	f = f.Origin()
	n := ix.nodes[key(f)]
	if n == nil {
		n = &node{id: len(ix.nodes)}
		ix.nodes[key(f)] = n
		if in := kubeapi.Named(t); in != nil && in.Obj().Pkg() != nil {
			n.labels = []label{{obj: f, in: in.Origin(), kind: '.'}}
		}
		switch {
		case f.Pkg() != ix.pkg.Pkg:
			n.unknown = true
			n.escape = Passed
		case f.Exported() && !ix.main: // code elsewhere can have it, if it asks, or call its methods where it is embedded
			n.open = true
			n.escape = Returned
		}
	}
	return n.find()
}

// params marks what callers that are not known may pass.
func (ix *Index) params(fn *ssa.Function) {
	if !ix.exported(fn) {
		return
	}
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil {
			if _, ok := p.Type().Underlying().(*types.Chan); ok { // what calls the method through an interface is not followed
				n := ix.at(p).find()
				n.unknown, n.stray = true, true
				n.escape |= Passed
			}
			continue
		}
		if n := ix.value(p); n != nil {
			n.find().unknown = true
			n.find().escape |= Passed
			if fn.Signature.Recv() != nil {
				i--
			}
			n.call(label{obj: flow.Object(fn), kind: '#', i: i})
		}
	}
}

// exported reports whether code outside the package can call fn by its name.
func (ix *Index) exported(fn *ssa.Function) bool {
	obj := flow.Object(fn)
	if fn.Parent() != nil || obj == nil {
		return false
	}
	if ix.main && obj.Type().(*types.Signature).Recv() == nil {
		return false
	}
	return obj.Exported()
}

func (ix *Index) instr(in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			ix.move(x, e)
		}
	case *ssa.UnOp:
		switch x.Op {
		case token.MUL:
			ix.assign(ix.value(x), ix.place(x.X), x.Type())
		case token.ARROW:
			ix.receive(x, x.X)
		}
	case *ssa.Store:
		ix.keeps(x)
		ix.assign(ix.place(x.Addr), ix.value(x.Val), x.Val.Type())
	case *ssa.Send:
		if n := ix.value(x.Chan); n != nil {
			ix.assign(n.element(), ix.value(x.X), x.X.Type())
		}
	case *ssa.Select:
		for _, st := range x.States {
			if n := ix.value(st.Chan); n != nil && st.Send != nil {
				ix.assign(n.element(), ix.value(st.Send), st.Send.Type())
			}
		}
	case *ssa.MapUpdate:
		if fa := flow.LoadedFrom(x.Map); fa != nil {
			ix.kept(fa, x.Value, x.Parent())
		}
		ix.assign(ix.value(x.Map), ix.value(x.Value), x.Value.Type())
		ix.assign(ix.value(x.Map), ix.value(x.Key), x.Key.Type())
	case *ssa.Lookup:
		ix.move(x, x.X)
	case *ssa.Index:
		ix.move(x, x.X)
	case *ssa.Field:
		ix.assign(ix.value(x), ix.field(x.X.Type(), x.Field), x.Type())
	case *ssa.Slice:
		ix.move(x, x.X)
	case *ssa.ChangeType:
		ix.move(x, x.X)
	case *ssa.ChangeInterface:
		ix.turns(x.X.Type(), x.Type())
		ix.move(x, x.X)
	case *ssa.Convert:
		ix.move(x, x.X)
	case *ssa.SliceToArrayPointer:
		ix.move(x, x.X)
	case *ssa.TypeAssert:
		ix.turns(x.X.Type(), x.AssertedType)
		if x.CommaOk {
			break // see extract
		}
		ix.move(x, x.X)
		if shared(x.AssertedType) { // it may have come from anywhere: see MakeInterface
			ix.unknown(x)
		}
	case *ssa.MakeInterface:
		ix.converts(x.X.Type(), x.Type())
		if n := ix.value(x); n != nil {
			n.find().types = append(n.find().types, x.X.Type())
			ix.assign(n, ix.value(x.X), x.Type())
		}
		if shared(x.X.Type()) { // assertions back to the type are not followed
			ix.escape(x.X, Passed)
			ix.stray(x.X)
		}
	case *ssa.Extract:
		ix.extract(x)
	case *ssa.MakeChan:
		if n := ix.value(x); n != nil {
			n.find().makes = append(n.find().makes, x)
		}
	case *ssa.MakeClosure:
		ix.closure(x)
	case *ssa.Return:
		ix.results(x)
	case ssa.CallInstruction:
		ix.call(x)
	}
}

// move is dst = src.
func (ix *Index) move(dst, src ssa.Value) { ix.assign(ix.value(dst), ix.value(src), src.Type()) }

// assign lets what is in src reach dst. References to containers are shared: what one writes, the other reads.
func (ix *Index) assign(dst, src *node, t types.Type) {
	if dst == nil || src == nil {
		return
	}
	if shared(t) {
		spread(dst, src, true)
		return
	}
	spread(dst, src, false)
	switch types.Unalias(t).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		spread(src, dst, false)
	}
}

func (ix *Index) receive(dst ssa.Value, ch ssa.Value) {
	if n := ix.value(ch); n != nil {
		ix.assign(ix.value(dst), n.element(), dst.Type())
	}
}

func (ix *Index) extract(x *ssa.Extract) {
	switch t := x.Tuple.(type) {
	case *ssa.Call:
		if fn := ix.local(flow.StaticCallee(&t.Call)); fn != nil {
			ix.assign(ix.value(x), ix.at(resultKey{fn, x.Index}), x.Type())
		}
	case *ssa.UnOp: // v, ok := <-ch
		if x.Index == 0 {
			ix.receive(x, t.X)
		}
	case *ssa.Lookup:
		if x.Index == 0 {
			ix.move(x, t.X)
		}
	case *ssa.TypeAssert:
		if x.Index == 0 {
			ix.move(x, t.X)
			if shared(x.Type()) {
				ix.unknown(x)
			}
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok {
			ix.move(x, r.X)
		}
	case *ssa.Select:
		i := x.Index - 2
		for _, st := range t.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if i == 0 {
				ix.receive(x, st.Chan)
			}
			i--
		}
	}
}

func (ix *Index) unknown(v ssa.Value) {
	if n := ix.value(v); n != nil {
		n.find().unknown = true
		n.find().escape |= Passed
	}
}

// stray notes that code has v that knows it by no name.
func (ix *Index) stray(v ssa.Value) {
	if n := ix.place(v); n != nil {
		n.find().stray = true
	}
}

func (ix *Index) escape(v ssa.Value, how Escape) {
	if n := ix.place(v); n != nil {
		n.find().escape |= how
	}
}

func (ix *Index) closure(x *ssa.MakeClosure) {
	fn := x.Fn.(*ssa.Function)
	n := ix.value(x)
	f := Func{Fn: fn, Closure: x}
	if m := method(fn); m != fn {
		f.Fn, f.Bound = m, true
		if len(m.Params) > 0 && len(x.Bindings) > 0 && m.Pkg == ix.pkg.Package {
			ix.move(m.Params[0], x.Bindings[0])
		}
	} else {
		for i, b := range x.Bindings {
			if p := ix.place(b); p != nil { // the variable itself, not its value
				union(ix.at(fn.FreeVars[i]), p)
			}
		}
	}
	if n != nil {
		n.find().funcs = append(n.find().funcs, f)
	}
}

func (ix *Index) results(x *ssa.Return) {
	fn := x.Parent()
	for i, r := range x.Results {
		n := ix.value(r)
		if n == nil {
			continue
		}
		at := ix.at(resultKey{fn, i})
		ix.assign(at, n, r.Type())
		if ix.exported(fn) {
			n.find().escape |= Returned
			at.call(label{obj: flow.Object(fn), kind: '$', i: i})
		}
	}
}

// local returns fn where its body belongs to the package.
func (ix *Index) local(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if fn = method(fn); fn.Pkg == ix.pkg.Package && len(fn.Blocks) > 0 {
		return fn
	}
	return nil
}

func (ix *Index) isDynamic(c ssa.CallInstruction) bool {
	call := c.Common()
	_, builtin := call.Value.(*ssa.Builtin)
	return !builtin && (call.IsInvoke() || flow.StaticCallee(call) == nil)
}

func (ix *Index) call(c ssa.CallInstruction) {
	call := c.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch v, _ := c.(*ssa.Call); b.Name() {
		case "append":
			for _, a := range call.Args {
				if ix.value(v) != nil {
					ix.assign(ix.value(v), ix.value(a), a.Type())
				}
			}
		case "copy":
			ix.move(call.Args[0], call.Args[1])
		}
		return
	}
	if ix.isDynamic(c) {
		ix.dynamic = append(ix.dynamic, c)
		return
	}
	callee := flow.StaticCallee(call)
	if fn := ix.local(callee); fn != nil {
		ix.callers[fn] = append(ix.callers[fn], c)
		ix.bind(c, Target{Func: Func{Fn: fn}, Args: flow.AllArgs(call)})
		return
	}
	if callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync" { // it keeps what it gets to itself
		return
	}
	ix.leave(c, flow.Args(call))
}

// leave is a call of code that is not known, with args but for the receiver.
func (ix *Index) leave(c ssa.CallInstruction, args []ssa.Value) {
	callee := flow.Callee(c.Common())
	for i, a := range args {
		if kubeapi.TakesStop(callee, i) {
			continue // what is done with it is known
		}
		if shared(a.Type()) {
			ix.escape(a, direction(a.Type()))
		}
		if !linked(callee) {
			if shared(a.Type()) {
				ix.stray(a)
			}
			continue
		}
		l := label{obj: callee.Origin(), kind: '#', i: i}
		if shared(a.Type()) {
			if n := ix.value(a); n != nil {
				n.call(l)
			}
		} else if flow.IsFunc(a) || types.IsInterface(a.Type()) && tracked(a.Type()) {
			to := ix.at(l)
			to.call(l)
			ix.assign(to, ix.value(a), a.Type())
		}
	}
	v, ok := c.(*ssa.Call)
	if !ok || (kubeapi.Symbol{Pkg: semaphores, Name: "NewWeighted"}).Is(callee) { // a new one, which no other code has
		return
	}
	result := func(v ssa.Value, i int) {
		ix.unknown(v)
		n := ix.value(v)
		if n == nil || !shared(v.Type()) && !flow.IsFunc(v) {
			return
		}
		if linked(callee) {
			n.call(label{obj: callee.Origin(), kind: '$', i: i})
		} else {
			n.find().stray = true
		}
	}
	result(v, 0)
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok {
			result(x, x.Index)
		}
	}
}

// linked reports whether fn may be a function of a package that is analysed, too: those of the standard library are
// not.
func linked(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && !kubeapi.IsStandard(fn.Pkg().Path())
}

// direction returns how code that gets a value of type t has the channel.
func direction(t types.Type) Escape {
	if c, ok := t.Underlying().(*types.Chan); ok {
		switch c.Dir() {
		case types.RecvOnly:
			return Received
		case types.SendOnly:
			return Sent
		}
	}
	return Passed
}

// bind lets the arguments of a call reach the parameters of t, and its results to the call.
func (ix *Index) bind(c ssa.CallInstruction, t Target) {
	for i, a := range t.Args {
		if i < len(t.Fn.Params) && a != nil {
			ix.move(t.Fn.Params[i], a)
		}
	}
	v, ok := c.(*ssa.Call)
	if !ok {
		return
	}
	res := t.Fn.Signature.Results()
	if res.Len() == 1 {
		if n := ix.value(v); n != nil {
			ix.assign(n, ix.at(resultKey{t.Fn, 0}), v.Type())
		}
		return
	}
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index < res.Len() {
			if n := ix.value(x); n != nil {
				ix.assign(n, ix.at(resultKey{t.Fn, x.Index}), x.Type())
			}
		}
	}
}
