package cachemutation

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// What handlers of an informer write, of objects that nobody else sees, can mislead themselves alone, and does so only if they decide by it: where they find what they were about to
// write, and ask the server for nothing, although the request has failed before; where they compare two objects, of which one has been changed already; where
// objects are chosen by their labels. What nobody decides by is written once more the next time, and sent.

// decisions are the places of types of objects, and of parts of them, that the conditions of a package depend on: by the name of the type, paths
// from there, "" for the whole.
type decisions struct {
	a    *mutations
	by   map[string][]string
	seen map[ssa.Value]bool
	fns  map[*ssa.Function]bool // whose results are looked at
}

// decided reports whether somebody in the package may decide by what e has written. Functions of other packages that write, and those that are sent what
// differs from an object that has been changed before, may.
func (a *mutations) decided(e sharing.Effect) bool {
	kind, path := objectOf(e), e.Path()
	if kind == nil || path == "" || e.Deed != sharing.Written && !e.At.IsValid() {
		return true
	}
	for in := range flow.Instrs(e.In.Parent()) {
		if r, ok := e.SentBy(in); ok && r.Verb == kube.VerbPatch {
			return true
		}
	}
	if a.decisions == nil {
		a.decisions = a.decide()
	}
	for t, rest := types.Type(kind), path; t != nil; {
		if named := kube.Named(t); named != nil && !isShared(named) && slices.ContainsFunc(a.decisions.by[link.TypeName(named)], func(at string) bool { return overlap(at, rest) }) {
			return true
		}
		if rest == "" {
			break
		}
		step, to := flow.FirstStep(t, rest)
		t, rest = to, rest[len(step.Text):]
	}
	return slices.ContainsFunc(a.decisions.by[anyObject], func(at string) bool { return overlap(at, path) })
}

// anyObject stands for the type of objects of which the type is not known.
const anyObject = "*"

// isShared reports whether objects of many kinds have parts of type n.
func isShared(n *types.Named) bool {
	return n.Obj().Pkg() != nil && kube.SamePackage(n.Obj().Pkg().Path(), kube.MetaV1)
}

// overlap reports whether one of two paths leads to the other, or past it.
func overlap(x, y string) bool { return below(x, y) || below(y, x) }

// below reports whether path y starts with x.
func below(x, y string) bool {
	rest, ok := strings.CutPrefix(y, x)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// decide finds what the conditions of the package depend on.
func (a *mutations) decide() *decisions {
	d := &decisions{a, map[string][]string{}, map[ssa.Value]bool{}, map[*ssa.Function]bool{}}
	for _, fn := range a.p.All() {
		for _, b := range fn.Blocks {
			if test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && !flow.TestsLoop(b) && !onlyWrites(b) {
				d.depends(test.Cond)
			}
		}
		for ret := range flow.Returns(fn) { // who calls it may ask
			for _, result := range ret.Results {
				if flow.IsBool(result.Type()) {
					d.depends(result)
				}
			}
		}
		flow.Calls(fn, d.selects)
	}
	return d
}

// selects notes that call chooses objects by their labels, where it asks a cache for those that a selector matches.
func (d *decisions) selects(in ssa.CallInstruction) {
	r, ok := kube.CacheReadOf(in.Common())
	if !ok || !r.List {
		return
	}
	for _, arg := range in.Common().Args {
		if made, ok := flow.Unwrap(arg).(*ssa.Call); ok && flow.Callee(&made.Call) != nil && flow.Callee(&made.Call).Name() == "Everything" {
			return
		}
		if kube.IsSelector(arg.Type()) {
			if list, ok := in.Common().Signature().Results().At(0).Type().Underlying().(*types.Slice); ok {
				d.add(list.Elem(), ".ObjectMeta.Labels")
			}
		}
	}
}

// add notes that a condition depends on what lies at path in values of type t.
func (d *decisions) add(t types.Type, path string) {
	name := anyObject
	if n := kube.Named(t); n != nil && !types.IsInterface(n) {
		name = link.TypeName(n)
	} else if !kube.IsObject(t) { // an interface
		return
	}
	if !slices.Contains(d.by[name], path) {
		d.by[name] = append(d.by[name], path)
	}
}

// read notes that a condition depends on v: on the place that it was loaded from, of what it was reached from, and of all that lies between.
func (d *decisions) read(v ssa.Value) {
	for path := ""; v != nil; {
		step := ""
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v, step = x.X, fieldStep(x.X.Type(), x.Field)
		case *ssa.Field:
			v, step = x.X, fieldStep(x.X.Type(), x.Field)
		case *ssa.IndexAddr:
			v, step = x.X, "[]"
		case *ssa.Index:
			v, step = x.X, "[]"
		case *ssa.Lookup:
			v, step = x.X, "[]"
		case *ssa.UnOp:
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return
		}
		if path = step + path; path != "" {
			d.add(v.Type(), path)
		}
	}
}

// fieldStep is the step to field i of a value of type t, empty for odd types.
func fieldStep(t types.Type, i int) string {
	if f := flow.Field(t, i); f != nil {
		return "." + f.Name()
	}
	return ""
}

// depends goes back from v, a condition or what it is made of.
func (d *decisions) depends(v ssa.Value) {
	if v == nil || d.seen[v] || flow.IsError(v.Type()) {
		return
	}
	d.seen[v] = true
	switch v := v.(type) {
	case *ssa.BinOp:
		d.depends(v.X)
		d.depends(v.Y)
	case *ssa.Phi:
		for _, edge := range v.Edges {
			d.depends(edge)
		}
	case *ssa.UnOp:
		if v.Op != token.MUL {
			d.depends(v.X)
			return
		}
		d.read(v)
		if cell, ok := v.X.(*ssa.Alloc); ok {
			for _, in := range *cell.Referrers() {
				if store, ok := in.(*ssa.Store); ok && store.Addr == cell {
					d.depends(store.Val)
				}
			}
		}
	case *ssa.Field, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index:
		d.read(v)
	case *ssa.Lookup:
		d.read(v)
		d.depends(v.X)
		d.depends(v.Index)
	case *ssa.Extract:
		d.depends(v.Tuple)
	case *ssa.Next:
		d.depends(v.Iter)
	case *ssa.Range:
		d.read(v.X)
		d.depends(v.X)
	case *ssa.TypeAssert:
		d.depends(v.X)
	case *ssa.Call:
		d.called(v)
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.Slice:
		for _, op := range v.(ssa.Instruction).Operands(nil) {
			d.depends(*op)
		}
	}
}

// called goes back from the results of call: into a function of the package, and to the arguments.
func (d *decisions) called(call *ssa.Call) {
	callee := flow.Callee(&call.Call)
	if callee != nil && kube.IsGetter(callee) && flow.Recv(&call.Call) != nil {
		d.add(flow.Unwrap(flow.Recv(&call.Call)).Type(), ".ObjectMeta."+strings.TrimPrefix(callee.Name(), "Get"))
		return
	}
	fns, all := d.a.p.Callees(call)
	for _, fn := range fns {
		if d.fns[fn] {
			continue
		}
		d.fns[fn] = true
		for ret := range flow.Returns(fn) {
			for _, result := range ret.Results {
				d.depends(result)
			}
		}
	}
	if _, asks := kube.RequestOf(&call.Call); asks {
		return
	}
	if _, cached := kube.CacheReadOf(&call.Call); cached {
		return
	}
	for _, arg := range flow.AllArgs(&call.Call) {
		arg = flow.Unwrap(arg)
		if !all && kube.IsObject(arg.Type()) {
			d.add(arg.Type(), "")
		}
		d.depends(arg)
	}
}

// onlyWrites reports whether all that is done on one side of the test at the end of b, or on both, is to write to memory, so that nobody can tell afterwards on which
// side it was.
func onlyWrites(b *ssa.BasicBlock) bool {
	done := map[*ssa.BasicBlock]bool{b: true}
	frontier := []*ssa.BasicBlock{}
	reach := func(from *ssa.BasicBlock) {
		for _, s := range from.Succs {
			if !slices.Contains(frontier, s) {
				frontier = append(frontier, s)
			}
		}
	}
	reach(b)
	for len(frontier) > 1 {
		i := slices.IndexFunc(frontier, func(b *ssa.BasicBlock) bool {
			return !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return !done[p] })
		})
		if i < 0 || !quiet(frontier[i]) {
			return false
		}
		next := frontier[i]
		frontier = slices.Delete(frontier, i, i+1)
		if done[next] {
			return false
		}
		done[next] = true
		reach(next)
	}
	return len(frontier) == 1 && !slices.ContainsFunc(frontier[0].Instrs, func(in ssa.Instruction) bool {
		phi, ok := in.(*ssa.Phi)
		return ok && !holdsMemory(phi.Type())
	})
}

// quiet reports whether b does nothing but compute, log and write to memory.
func quiet(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Return, *ssa.Panic, *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select, *ssa.RunDefers:
			return true
		case *ssa.Store:
			cell, ok := in.Addr.(*ssa.Alloc)
			return ok && !holdsMemory(in.Val.Type()) && !kube.IsObject(cell.Type())
		case *ssa.Call:
			if _, ok := in.Call.Value.(*ssa.Builtin); ok {
				return false
			}
			callee := flow.Callee(&in.Call)
			return callee == nil || !kube.IsSetter(callee) && !kube.IsGetter(callee) && !kube.Logs(callee)
		}
		return false
	})
}

// holdsMemory reports whether a value of type t refers to memory, rather than saying something itself.
func holdsMemory(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer:
		return true
	}
	return false
}
