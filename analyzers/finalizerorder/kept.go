package finalizerorder

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// unmet are those of needs whose object may be gone while that of r is still there, with those that hang on other packages of the module last.
func (a *analyzer) unmet(needs []need, call *ssa.Call, r event, events []event) (all []need) {
	var others []need
	for _, n := range needs {
		if a.mayBeGone(&n, call, r, events) {
			all = append(all, n)
		} else if n.others {
			others = append(others, n)
		}
	}
	return append(all, others...)
}

// mayBeGone reports whether the object of n may be gone while that of r is still there: nothing keeps it. It notes in n that another package of
// the module has the last word.
func (a *analyzer) mayBeGone(n *need, call *ssa.Call, r event, events []event) bool {
	kind := kindOf(r.obj)
	if n.edits && kind != nil && hadBefore(r.obj, call, events) && a.isForDeleted(call, r.obj) && !a.isKeptAround(*n, kind) {
		return true
	}
	if n.typ == nil || kind == nil || !r.only && !a.guarded(r) || !hadBefore(r.obj, call, events) || kubeapi.HasData(n.typ) && a.cleansWith(call, r.obj) {
		return false
	}
	kept := a.isKept(*n, kind, r.obj)
	if kept && a.freed(n.typ, kind) == nil {
		inSpec, another := namedBy(n.names, r.obj)
		_, known := a.keeperOf(n.typ, kind)
		n.others = inSpec && !another && !n.another && !known && a.ofModule(n.typ) && a.ofModule(kind)
		return false
	}
	return true
}

// isKept reports whether something may keep the object of n as long as obj, of type kind, needs it. Its controller may, so that has to be in sight; or it is
// one of another module, which knows nothing of those that name it in their spec. Who names it, other than obj, may as well see that it stays. Those
// of Kubernetes itself go when somebody deletes them, volumes and namespaces in use but for these.
func (a *analyzer) isKept(n need, kind *types.Named, obj object) bool {
	inSpec, another := namedBy(n.names, obj)
	if another || n.another {
		return true
	}
	if keeps, known := a.keeperOf(n.typ, kind); known {
		return keeps
	}
	return !inSpec || a.ofModule(n.typ) || !a.ofModule(kind)
}

// keeperOf reports whether who looks after objects of type t keeps them for those of type kind, nil for any, as far as that is known: the package, or Kubernetes itself.
func (a *analyzer) keeperOf(t, kind *types.Named) (keeps, known bool) {
	of := a.changesOf()
	switch {
	case of.added[t] || of.kept[t] || of.taken[t] != nil || a.controls(t):
		return kind == nil || a.waitsFor(t, kind), true
	case !isCustom(t):
		return kubeapi.Outlasts(t), true
	}
	return false, false
}

// ofModule reports whether t is declared in the module that is analysed.
func (a *analyzer) ofModule(t *types.Named) bool { return rule.OfModule(a.pass, t.Obj().Pkg()) }

// controls reports whether the package has the controller of the kind t.
func (a *analyzer) controls(t *types.Named) bool {
	if a.controlled == nil {
		a.controlled = map[*types.Named]bool{}
		for _, c := range kubeapi.Controllers(a.pkg) {
			for _, w := range c.Watches {
				if w.Role == kubeapi.RoleFor && w.Kind != nil {
					a.controlled[kubeapi.Named(w.Kind)] = true
				}
			}
		}
	}
	return a.controlled[t]
}

// waitsFor reports whether who takes the finalizers off objects of type t may list those of type kind, and so keep one until the last of them is
// gone.
func (a *analyzer) waitsFor(t, kind *types.Named) bool {
	takers := a.takers(t)
	if takers == nil && a.changesOf().added[t] {
		takers = a.pkg.Funcs // it goes unseen
	}
	return a.anyRuns(takers, func(in ssa.Instruction) bool {
		v, ok := in.(ssa.Value)
		if !ok {
			return false
		}
		return listed(v.Type()) == kind || slices.Contains(a.listedOut(in), link.TypeName(kind))
	})
}

// takers are the functions that take finalizers off objects of type t, and those that lead to them.
func (a *analyzer) takers(t *types.Named) (all []*ssa.Function) {
	for _, in := range a.changesOf().taken[t] {
		for fn := range a.pkg.LeadingTo(program.Calls|program.Spawns, in.Parent()) {
			all = append(all, fn)
		}
	}
	return all
}

// running are the ways in which a function leads to what it runs, or may run.
const running = program.Calls | program.Dispatches | program.Mentions

// anyRuns reports whether one of fns leads to an instruction of which is holds.
func (a *analyzer) anyRuns(fns []*ssa.Function, is func(ssa.Instruction) bool) bool {
	return flow.Any(a.pkg.Reach(running, fns...), func(fn *ssa.Function) bool { return flow.Any(flow.Instrs(fn), is) })
}

// namedBy reports whether the spec of obj is part of names, and whether another object is.
func namedBy(names []flow.Path, obj object) (inSpec, another bool) {
	for _, p := range names {
		p = held(p)
		own := false
		for _, o := range obj.places() {
			sel, in := strings.CutPrefix(p.Sel, o.Sel)
			own = own || p.Root == o.Root && in
			inSpec = inSpec || p.Root == o.Root && in && strings.HasPrefix(sel, ".Spec.")
		}
		another = another || !own && kubeapi.IsObject(p.Root.Type())
	}
	return inSpec, another
}

// cleansWith reports whether what call gives is used where obj is being deleted, and only there, or call itself is made there: it may be what the
// cleanup cannot do without.
func (a *analyzer) cleansWith(call *ssa.Call, obj object) bool {
	cleanup := func(in ssa.Instruction) bool { return a.isForDeleted(in, obj) }
	uses := func(in ssa.Instruction) bool {
		_, is := in.(ssa.CallInstruction)
		return is && in != ssa.Instruction(call) && cleanup(in)
	}
	given := []ssa.Value{call}
	if r, ok := kubeapi.RequestOf(&call.Call); ok && r.Object != nil {
		given = []ssa.Value{flow.Resolve(r.Object)}
	}
	return cleanup(call) || slices.ContainsFunc(given, func(v ssa.Value) bool { return leadsOn(v, true, uses) })
}

// namesOf are the access paths that the name, or key, v is made of; a namespace does not count.
func namesOf(v ssa.Value) (names []flow.Path) {
	work := values.From(v)
	for v := range work.Resolved() {
		switch v := v.(type) {
		case *ssa.Const, *ssa.Global:
			continue
		case *ssa.BinOp:
			work.Add(v.X, v.Y)
			continue
		case *ssa.Convert:
			work.Add(v.X)
			continue
		case *ssa.Slice:
			work.Add(flow.Elements(v)...)
			continue
		case *ssa.Alloc: // an object that is made to be looked up
			if kubeapi.IsObject(v.Type()) && !isVariable(v) {
				if name := nameIn(v, v); name != nil {
					work.Add(name)
					continue
				}
			}
		case *ssa.Call:
			work.Add(flow.AllArgs(&v.Call)...)
			continue
		case *ssa.UnOp:
			if alloc, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
				if name := setOnce(alloc, string(kubeapi.MetaName)); name != nil {
					work.Add(name)
					continue
				}
			}
		}
		if p := flow.PathOf(v); p.Known() && !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	return names
}

// namesIn are names, of the function callee, as its caller knows them, which calls it with args.
func namesIn(names []flow.Path, callee *ssa.Function, args []ssa.Value) (out []flow.Path) {
	for _, p := range names {
		param, ok := p.Root.(*ssa.Parameter)
		if !ok {
			out = append(out, p)
			continue
		}
		if i := flow.ParamIndex(callee, param); i >= 0 && i < len(args) {
			out = append(out, namesFrom(args[i], p.Sel)...)
		}
	}
	return out
}

// namesFrom are the paths of what is at sel of arg, or that arg is made of.
func namesFrom(arg ssa.Value, sel string) []flow.Path {
	if sel == "" {
		return namesOf(arg)
	}
	p := flow.PathOf(arg)
	return []flow.Path{{Root: p.Root, Sel: p.Sel + sel}}
}

// namesByFact are the names that a function of another package has, which is called with args, and whether an object is among them that it has looked
// up.
func namesByFact(names []Name, args []ssa.Value) (out []flow.Path, another bool) {
	for _, n := range names {
		if n.Param >= 0 && n.Param < len(args) {
			out = append(out, namesFrom(args[n.Param], n.Sel)...)
		}
		another = another || n.Param < 0
	}
	return out, another
}

// hadBefore reports whether fn has o in front of call: a parameter, what it has read, or what it was given. An object that is looked up later,
// as the owner of the first one, is not the one that is reconciled.
func hadBefore(o object, call *ssa.Call, events []event) bool {
	switch root := o.path.Root.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Alloc:
		return slices.ContainsFunc(events, func(r event) bool {
			return r.kind == reads && r.obj.path == o.path && r.in != ssa.Instruction(call) && flow.Dominates(r.in, call)
		})
	case ssa.Instruction:
		return flow.Dominates(root, call)
	}
	return false
}

// kindOf is the type of o itself, nil where it goes by an interface or by a part of it.
func kindOf(o object) *types.Named {
	if o.path.Sel != "" || types.IsInterface(o.path.Root.Type()) {
		return nil
	}
	return kubeapi.Named(o.path.Root.Type())
}
