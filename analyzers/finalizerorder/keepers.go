package finalizerorder

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Who looks after a kind may keep its objects as long as others need them. Of a kind of the module that is somebody in another package of it: whether anybody does is
// known where a program comes together.

// Keepers is the fact of a package: for which kinds it keeps objects of others, and its findings about objects that nobody may keep.
type Keepers struct {
	link.Unit[Keepers]
	Kept    []Keeping
	Unknown []string // packages that have kinds, of whose objects it may keep any
	Needed  []Needed
}

// A Keeping says that objects of the kind Of may be kept for those of the kind For, or for any where that is empty.
type Keeping struct{ Of, For string }

// A Needed is a finding that harms nobody where objects of the kind Of are kept for those of the kind For.
type Needed struct {
	Keeping
	link.Kept
}

// AFact marks Keepers as a fact.
func (*Keepers) AFact() {}

// String is for the tests of facts.
func (k *Keepers) String() string {
	var parts []string
	for _, x := range k.Kept {
		parts = append(parts, "keeps "+x.Of+" for "+x.For)
	}
	for _, p := range k.Unknown {
		parts = append(parts, "may keep what "+p+" has")
	}
	for _, n := range k.Needed {
		parts = append(parts, "at "+n.At.String()+" "+n.Of+" is needed for "+n.For)
	}
	return strings.Join(parts, "; ")
}

// together hands k on, and reports what was put off where a program comes together.
func (k *Keepers) together(pass *analysis.Pass) {
	if !rule.Active.Programs || rule.IsDependency(pass) {
		return
	}
	below := link.Gather[Keepers](pass)
	if len(k.Kept)+len(k.Unknown)+len(k.Needed) > 0 || rule.Active.DirectFacts && len(below) > 0 {
		link.HandOn(pass, k, below)
	}
	if !link.Program(pass) {
		return
	}
	all := append(below, k)
	dirs := link.DirsOf(all)
	for _, p := range all {
		for _, n := range p.Needed {
			if link.Judges(pass, p.Path) && !slices.ContainsFunc(all, func(q *Keepers) bool { return q.keeps(n.Keeping) }) {
				n.Report(pass, dirs)
			}
		}
	}
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
	for _, fn := range a.pkg.Funcs {
		for _, e := range a.events(fn) {
			if e.kind != adds && e.kind != addsNow || typeOf(e.obj) != nil {
				continue
			}
			p, given := e.obj.path.Root.(*ssa.Parameter)
			if !given || fn.Signature.Recv() != nil && len(a.pkg.Callers(p.Parent())) == 0 || fn.Parent() != nil {
				return true
			}
		}
	}
	return false
}

// validateDelete is the method of webhooks that is asked before an object is deleted.
const validateDelete = "ValidateDelete"

// refuses are the kinds of which fn, a webhook, may refuse the deletion; all says that it may be that of any.
func (a *analyzer) refuses(fn *ssa.Function) (kinds []*types.Named, all bool) {
	if fn.Name() != validateDelete || flow.ErrorResult(fn.Signature) < 0 || neverFails(fn) {
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
	for in := range flow.Instrs(fn) {
		if x, ok := in.(*ssa.TypeAssert); ok {
			note(x.AssertedType)
		}
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

// putOff has f, about the need n of an object of type kind, wait for whether anybody keeps what is needed.
func (a *analyzer) putOff(f rule.Finding, n need, kind *types.Named) {
	if kept, ok := link.Keep(a.pass, f); ok {
		a.keeping.Needed = append(a.keeping.Needed, Needed{Keeping{link.TypeName(n.typ), link.TypeName(kind)}, kept})
	}
}
