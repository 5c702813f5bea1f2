package filter

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// filterSummary is what is known of a function that returns a predicate or an update function, of the Update method of a predicate, or
// of a package variable that holds a predicate: the changes that it surely drops, by their names, the keys of annotations that
// it asks for, and the only kinds for which it does anything.
type filterSummary struct {
	Changes []string
	Kinds   []string // updates of all others are dropped, where there are some
	Others  bool     // changes of annotations are dropped, but perhaps of those under the keys Asked
	Asked   []string
}

func (d *filterSummary) String() string {
	all := slices.Clone(d.Changes)
	if d.Others {
		all = append(all, "annotations but "+strings.Join(d.Asked, " and "))
	}
	s := "drops " + strings.Join(all, ", ")
	if d.Kinds != nil {
		s += fmt.Sprintf("; only %s", strings.Join(d.Kinds, ", "))
	}
	return s
}

func (d *filterSummary) drops(c change) bool {
	if d.Kinds != nil && c.kind != nil {
		n := kubeapi.Named(c.kind)
		if n != nil && n.Obj().Pkg() != nil && !slices.Contains(d.Kinds, kindName(n)) {
			return true
		}
	}
	if c.key != "" && d.Others && !slices.Contains(d.Asked, c.key) {
		return true
	}
	// What drops any update that moves the generation, or does not, drops each such one.
	return slices.Contains(d.Changes, c.name()) || slices.Contains(d.Changes, anyChange(c.bumped).name())
}

func kindName(n *types.Named) string { return n.Obj().Pkg().Path() + "." + n.Obj().Name() }

// trials are the changes that a filterSummary is about.
func trials() []change {
	return []change{
		specChange(), annotationsChange(""), statusChange(), deletionChange(true), deletionChange(false),
		anyChange(true), anyChange(false), contentChange(true), contentChange(false),
	}
}

// export exports the facts of the functions that return a predicate or an update function or are an Update method, and of the
// package variables that hold a predicate.
func (ps predicates) export(pass *analysis.Pass) {
	export := func(obj types.Object, p *kubeapi.Predicate) {
		if p == nil {
			return
		}
		if f := summarise(ps.known(p)); f != nil {
			amend(pass, obj, func(to *Fact) { to.Drops = f })
		}
	}
	for _, fn := range ps.pkg.Funcs {
		if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
			export(obj, kubeapi.PredicateFrom(ps.pkg, fn))
		}
	}
	for _, member := range ps.pkg.Members {
		if g, ok := member.(*ssa.Global); ok && g.Object() != nil && g.Object().Exported() {
			export(g.Object(), kubeapi.PredicateIn(ps.pkg, g))
		}
	}
}

// summarise is the fact of a predicate.
func summarise(p *pred) *filterSummary {
	if !p.understood() {
		return nil
	}
	d := &filterSummary{}
	for _, c := range trials() {
		if p.judge(c).drops() && !(c.content && d.drops(c)) {
			d.Changes = append(d.Changes, c.name())
		}
	}
	d.keys(p)
	d.Kinds = p.onlyKinds()
	if d.Changes == nil && !d.Others && d.Kinds == nil {
		return nil
	}
	return d
}

// onlyKinds are the kinds whose updates alone p lets through, none where it does not go by kinds.
func (p *pred) onlyKinds() []string {
	update := p.Fns[kubeapi.EventUpdate]
	if p.Op != kubeapi.OpFuncs || update == nil {
		return nil
	}
	kinds, other := assertedKinds(update), anyChange(true)
	other.foreign = true
	if len(kinds) == 0 || !p.judge(other).drops() || p.judge(anyChange(true)).drops() {
		return nil
	}
	return kinds
}

// keys notes whether p drops the changes of annotations under keys that it does not ask for, and those that it may ask for.
func (d *filterSummary) keys(p *pred) {
	const nobodys = "\x00"
	if slices.Contains(d.Changes, annotationsChange("").what) || !p.judge(annotationsChange(nobodys)).drops() {
		return
	}
	d.Others = true
	texts := p.texts()
	slices.Sort(texts)
	for _, key := range slices.Compact(texts) {
		if !p.judge(annotationsChange(key)).drops() {
			d.Asked = append(d.Asked, key)
		}
	}
}

// texts are the constants that the update functions of p look up in maps, or hand to others, and the keys that those of other packages ask for.
func (p *pred) texts() []string {
	var all []string
	for _, q := range p.list {
		all = append(all, q.texts()...)
	}
	if p.summary != nil {
		all = append(all, p.summary.Asked...)
	}
	update := p.Fns[kubeapi.EventUpdate]
	if update == nil {
		return all
	}
	for in := range flow.Instrs(region(p.ps.pkg, update)...) {
		var used []ssa.Value
		switch in := in.(type) {
		case *ssa.Lookup:
			used = []ssa.Value{in.Index}
		case ssa.CallInstruction:
			if kubeapi.Logs(flow.Callee(in.Common())) {
				continue
			}
			used = flow.Args(in.Common())
			all = append(all, p.ps.looks.askedBy(in.Common())...)
		}
		for _, v := range used {
			if text, ok := flow.Text(v); ok {
				all = append(all, text)
			}
		}
	}
	return all
}

// assertedKinds are the names of the concrete types that fn asserts anything to have, in order.
func assertedKinds(fn *ssa.Function) []string {
	var kinds []string
	for _, t := range kubeapi.AssertedTypes(fn) {
		if n := kubeapi.Named(t); n != nil && n.Obj().Pkg() != nil {
			kinds = append(kinds, kindName(n))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
