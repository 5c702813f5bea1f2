package finalizerorder

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// The controller of a kind may keep its objects as long as others need them. If a kind of the module is kept by another package of it, that
// is known where a program is linked.

// Keepers is the part of a package in its summary: for which kinds it keeps objects of others.
type Keepers struct {
	Kept    []Keeping
	Unknown []string // packages that have kinds, of whose objects it may keep any
}

// A Keeping says that objects of the kind Of may be kept for those of the kind For, or for any if that is empty.
type Keeping struct{ Of, For string }

// String is for the tests of facts.
func (k *Keepers) String() string {
	var parts []string
	for _, x := range k.Kept {
		parts = append(parts, "keeps "+x.Of+" for "+x.For)
	}
	for _, p := range k.Unknown {
		parts = append(parts, "may keep what "+p+" has")
	}
	return strings.Join(parts, "; ")
}

// without is the kind of the condition that no package keeps objects of one kind for those of another.
const without = "objects are not kept"

// unkept reports whether c holds in p: no package of it keeps such objects.
func unkept(p *link.Program[Keepers], c link.Condition) bool {
	of, needing, _ := strings.Cut(c.Of, " ")
	return c.Kind == without && !slices.ContainsFunc(p.Packages, func(s *link.Summary[Keepers]) bool { return s.Part.keeps(Keeping{of, needing}) })
}

// keeps reports whether the package of k may keep objects so.
func (k *Keepers) keeps(x Keeping) bool {
	return slices.Contains(k.Unknown, x.Of[:max(0, strings.LastIndexByte(x.Of, '.'))]) ||
		slices.ContainsFunc(k.Kept, func(y Keeping) bool { return y.Of == x.Of && (y.For == x.For || y.For == "") })
}

// keepers notes for which kinds the package keeps objects of custom kinds of the module.
func (a *analyzer) keepers(k *Keepers) {
	of := a.changesOf()
	unknown := false
	for _, all := range []map[*types.Named]bool{of.added, takenFrom(of)} {
		for t := range all {
			switch {
			case t == nil || types.IsInterface(t):
				unknown = unknown || a.addsUnseen()
			case isCustom(t) && a.ofModule(t):
				k.Kept = append(k.Kept, a.keptFor(t)...)
			}
		}
	}
	for _, fn := range a.pkg.Funcs {
		kinds, all := a.refuses(fn)
		unknown = unknown || all
		for _, t := range kinds {
			k.Kept = append(k.Kept, Keeping{Of: link.TypeName(t)})
		}
	}
	if unknown {
		k.Unknown = a.modulesKinds()
	}
	slices.SortFunc(k.Kept, func(x, y Keeping) int { return strings.Compare(x.Of+" "+x.For, y.Of+" "+y.For) })
	k.Kept = slices.Compact(k.Kept)
}

func takenFrom(of *changeIndex) map[*types.Named]bool {
	all := map[*types.Named]bool{}
	for t := range of.taken {
		all[t] = true
	}
	return all
}

// keptFor are the kinds that who takes finalizers off objects of type t lists: he may wait for them.
func (a *analyzer) keptFor(t *types.Named) (all []Keeping) {
	takers := a.takers(t)
	if takers == nil {
		return []Keeping{{Of: link.TypeName(t)}} // it goes unseen
	}
	lists := a.listedKinds()
	for fn := range a.pkg.Reach(running, takers...) {
		for _, kind := range lists[fn] {
			all = append(all, Keeping{link.TypeName(t), kind})
		}
	}
	return all
}

// addsUnseen reports whether a finalizer is put on an object whose kind is not known, and that its function is not given by somebody in sight.
func (a *analyzer) addsUnseen() bool {
	return slices.ContainsFunc(a.pkg.Funcs, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(a.events(fn), func(e event) bool {
			if e.kind != adds && e.kind != addsNow || typeOf(e.obj) != nil {
				return false
			}
			p, given := e.obj.path.Root.(*ssa.Parameter)
			return !given || fn.Signature.Recv() != nil && len(a.pkg.Callers(p.Parent())) == 0 || fn.Parent() != nil
		})
	})
}

// refuses are the kinds of which fn, a webhook, may refuse the deletion; all says that it may be that of any.
func (a *analyzer) refuses(fn *ssa.Function) (kinds []*types.Named, all bool) {
	if fn.Name() != kubeapi.ValidateDelete || flow.ErrorResult(fn.Signature) < 0 || neverFails(fn) {
		return nil, false
	}
	note := func(t types.Type) {
		if n := kubeapi.Named(t); n != nil && !types.IsInterface(n) && kubeapi.IsObject(types.NewPointer(n)) {
			kinds = append(kinds, n)
		}
	}
	for _, p := range fn.Params {
		note(p.Type())
	}
	for x := range flow.InstrsOf[*ssa.TypeAssert](fn) {
		note(x.AssertedType)
	}
	return kinds, len(kinds) == 0
}

// modulesKinds are the packages of the module that this one knows, itself among them.
func (a *analyzer) modulesKinds() (paths []string) {
	seen := map[*types.Package]bool{}
	for work := []*types.Package{a.pass.Pkg}; len(work) > 0; work = work[1:] {
		p := work[0]
		if seen[p] || !rule.OfModule(a.pass, p) {
			continue
		}
		seen[p] = true
		paths = append(paths, p.Path())
		work = append(work, p.Imports()...)
	}
	slices.Sort(paths)
	return paths
}

// deferUnkept defers f, about the need n of an object of type kind, until it is known that nobody keeps what is needed.
func (a *analyzer) deferUnkept(f rule.Finding, n need, kind *types.Named) {
	if a.unit.Defers() {
		a.unit.Defer(f, link.Condition{Kind: without, Of: link.TypeName(n.typ) + " " + link.TypeName(kind)})
	}
}
