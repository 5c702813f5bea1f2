package filter

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A need is what a reconciler looks at of the objects of one kind: of what changes there, it has to be told.
type need struct {
	Kind string // the type, with the path of its package
	What needOf
	Key  string // of an annotation
	By   string // the function that looks
	At   link.At
	// Aside: of an annotation, that a function of another package reads it, and nothing is decided by what that gives.
	Aside bool

	pos token.Pos // where it looks; not known of other packages
}

type needOf string

const (
	annotation needOf = "annotation"
	status     needOf = "status"   // of a kind that it does not reconcile itself, as far as it is about watches
	deletion   needOf = "deletion" // it removes a finalizer then
)

// needSummary is what a method Reconcile looks at: what it and the functions of its package that it runs look at.
type needSummary struct {
	Dir    string // of the package
	Needs  []need
	Again  bool // it asks to be called again, in some case
	Always bool // it does so each time that it succeeds
}

// String is for the tests of facts.
func (f *needSummary) String() string {
	var all []string
	for _, n := range f.Needs {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s", n.What, n.Key))+" of "+n.Kind[strings.LastIndex(n.Kind, "/")+1:])
	}
	return "needs " + strings.Join(all, ", ")
}

// needsOf are the needs of the reconciler of c: nil where it is not in sight, or not all that is watched for it.
func (d *dropped) needsOf(c *controller) *needSummary {
	if c.Shared {
		return nil
	}
	if c.Reconcile == nil {
		return d.needsElsewhere(c.Far)
	}
	return d.needsIn(c.Reconcile)
}

// needsIn are the needs of the method reconcile of this package.
func (d *dropped) needsIn(reconcile *ssa.Function) *needSummary {
	f, ok := d.needs[reconcile]
	if !ok {
		f = d.findNeeds(region(d.ps.pkg, reconcile), reconcile)
		d.needs[reconcile] = f
	}
	return f
}

// findNeeds are the needs of fns, which reconcile runs, if that is in sight.
func (d *dropped) findNeeds(fns []*ssa.Function, reconcile *ssa.Function) *needSummary {
	f := &needSummary{Dir: link.Dir(d.pass)}
	add := func(kind types.Type, what needOf, key, by string, pos token.Pos) *need {
		n := kubeapi.Named(kind)
		if n == nil || types.IsInterface(n) || n.Obj().Pkg() == nil {
			return new(need)
		}
		f.Needs = append(f.Needs, need{kindName(n), what, key, by, link.AtOf(d.pass, pos), false, pos})
		return &f.Needs[len(f.Needs)-1]
	}
	for _, o := range d.reads.objects(fns) {
		if o.key != "" && !d.own[o.key] && !standing(o.key) {
			add(o.object.Type(), annotation, o.key, flow.FuncName(o.fn), o.pos).Aside = o.aside
		}
	}
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			for _, v := range d.finalizers.removedOf(in) {
				add(v.Type(), deletion, "", flow.FuncName(cmp.Or(reconcile, fn)), in.Pos())
			}
			if c, ok := in.(*ssa.Call); ok && d.ps.pkg.Callee(&c.Call) == nil && flow.Any(c.Call.Signature().Results().Variables(), func(v *types.Var) bool { return kubeapi.IsResult(v.Type()) }) {
				f.Again = true // as far as one knows
			}
			if call, ok := in.(ssa.CallInstruction); ok {
				d.statusElsewhere(call, func(object ssa.Value) {
					add(object.Type(), status, "", flow.FuncName(fn), in.Pos())
				})
			}
			fa, ok := in.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			switch field := flow.Field(fa.X.Type(), fa.Field); {
			case field == nil:
			case readsStatus(fn, fa) && !element(fa.X):
				add(fa.X.Type(), status, "", flow.FuncName(fn), in.Pos())
			case kubeapi.RequeueField(fa):
				f.Again = true
			}
		}
	}
	if reconcile != nil {
		f.Always = lifetime.AlwaysRequeued(d.ps.pkg, reconcile, func(*ssa.Return) bool { return false })
	}
	return f
}

// afterError reports whether control comes to b only where some error is there.
func afterError(b *ssa.BasicBlock) bool {
	return flow.Any2(flow.PathCondition(b), func(test *ssa.If, t flow.Truth) bool {
		bin, ok := test.Cond.(*ssa.BinOp)
		return ok && flow.IsError(bin.X.Type()) && flow.Equal(bin, t) == flow.False
	})
}

// exportNeeds tells importing packages what the reconcilers of this one look at.
func (d *dropped) exportNeeds() {
	for _, fn := range d.ps.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !kubeapi.IsReconcile(obj) || fn.Parent() != nil {
			continue
		}
		f := *d.needsIn(fn)
		f.Needs = slices.Clone(f.Needs)
		for i := range f.Needs {
			f.Needs[i].pos = token.NoPos
		}
		// In an order that is not that of the source, and each once.
		slices.SortFunc(f.Needs, func(a, b need) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What), cmp.Compare(a.Key, b.Key), cmp.Compare(a.By, b.By), cmp.Compare(a.At, b.At))
		})
		f.Needs = slices.CompactFunc(f.Needs, func(a, b need) bool { return a.Kind == b.Kind && a.What == b.What && a.Key == b.Key })
		if len(f.Needs) > 0 {
			amend(d.pass, obj, func(to *Fact) { to.Needs = &f })
		}
	}
}

// needsElsewhere are those of the method reconcile of another package, nil where they are not known.
func (d *dropped) needsElsewhere(reconcile *types.Func) *needSummary {
	if reconcile == nil || factOf(d.pass, reconcile).Needs == nil {
		return nil
	}
	f := *factOf(d.pass, reconcile).Needs
	f.Needs = slices.Clone(f.Needs)
	for i := range f.Needs {
		n := &f.Needs[i]
		n.pos = link.Dirs{n.At.Package(): f.Dir}.Pos(d.pass, n.At)
	}
	return &f
}

// of are those of the needs that are about objects of type kind.
func (f *needSummary) of(kind types.Type, what ...needOf) []need {
	named := kubeapi.Named(kind)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	var out []need
	for _, n := range f.Needs {
		if n.Kind == kindName(named) && slices.Contains(what, n.What) {
			out = append(out, n)
		}
	}
	return out
}

// line says where n is, to a reader of this package.
func (n need) line(d *dropped, from *controller) string {
	if from.Reconcile == nil {
		return n.At.String()
	}
	return fmt.Sprintf("line %d", rule.Line(d.pass, n.pos))
}
