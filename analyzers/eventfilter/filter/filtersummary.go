package filter

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// filterFact is the fact of a function that returns a predicate or an update function, or of the Update method of a
// predicate: the changes that it surely drops, by their names, the other events of which it drops all, the
// keys of annotations and labels that it asks for, and the only kinds for which it does anything.
type filterFact struct {
	Changes []string
	Events  []string // those that it drops all of, "Create" and "Delete"
	Foreign bool     // updates of kinds other than Kinds are dropped
	Kinds   []string
	Others  []string // "annotations", "labels": changes of such are dropped, but perhaps for those under the keys Asked
	Asked   []string
}

func (*filterFact) AFact() {}

func (d *filterFact) String() string {
	all := slices.Clone(d.Changes)
	for _, event := range d.Events {
		all = append(all, "each "+event)
	}
	for _, what := range d.Others {
		all = append(all, what+" but "+strings.Join(d.Asked, " and "))
	}
	s := "drops " + strings.Join(all, ", ")
	if d.Foreign {
		s += fmt.Sprintf("; only %s", strings.Join(d.Kinds, ", "))
	}
	return s
}

func (d *filterFact) drops(c change) bool {
	if d.Foreign && c.kind != nil {
		n := kube.Named(c.kind)
		if n != nil && n.Obj().Pkg() != nil && !slices.Contains(d.Kinds, kindName(n)) {
			return true
		}
	}
	if c.key != "" && slices.Contains(d.Others, c.what) && !slices.Contains(d.Asked, c.key) {
		return true
	}
	// What drops any update that moves the generation, or does not, drops each such one.
	return slices.Contains(d.Changes, c.name()) || slices.Contains(d.Changes, anyChange(c.bumped).name())
}

func kindName(n *types.Named) string { return n.Obj().Pkg().Path() + "." + n.Obj().Name() }

// trials are the changes that a filterFact is about.
func trials() []change {
	return []change{
		specChange(), annotationsChange(""), labelsChange(""), statusChange(), deletionChange(true), deletionChange(false),
		anyChange(true), anyChange(false),
	}
}

// exported is what is known of the predicate or update function that fn returns, or of fn, an Update method.
func (ps predicates) exported(fn *ssa.Function) *filterFact {
	p := controllers.PredicateFrom(ps.pkg, fn)
	if p == nil {
		return nil
	}
	return summarise(ps.known(p))
}

// summarise is the fact of a predicate.
func summarise(p *pred) *filterFact {
	if !p.understood() {
		return nil
	}
	d := &filterFact{}
	for _, c := range trials() {
		if p.judge(c).drops() {
			d.Changes = append(d.Changes, c.name())
		}
	}
	d.keys(p)
	for _, event := range []string{"Create", "Delete"} {
		if p.dropsAll(event) {
			d.Events = append(d.Events, event)
		}
	}
	if update := p.Fns["Update"]; p.Op == controllers.ByHand && update != nil {
		if kinds := assertedKinds(update); len(kinds) > 0 {
			other := anyChange(true)
			other.foreign = true
			if p.judge(other).drops() && !p.judge(anyChange(true)).drops() {
				d.Foreign, d.Kinds = true, kinds
			}
		}
	}
	if d.Changes == nil && d.Events == nil && d.Others == nil && !d.Foreign {
		return nil
	}
	return d
}

// keys notes whether p drops the changes of annotations and labels under keys that it does not ask for, and those that it may ask for.
func (d *filterFact) keys(p *pred) {
	const nobodys = "\x00"
	texts := p.texts()
	slices.Sort(texts)
	texts = slices.Compact(texts)
	for _, of := range []func(key string) change{annotationsChange, labelsChange} {
		what := of("").what
		if slices.Contains(d.Changes, what) || !p.judge(of(nobodys)).drops() {
			continue
		}
		d.Others = append(d.Others, what)
		for _, key := range texts {
			if !slices.Contains(d.Asked, key) && !p.judge(of(key)).drops() {
				d.Asked = append(d.Asked, key)
			}
		}
	}
	slices.Sort(d.Asked)
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
	update := p.Fns["Update"]
	if update == nil {
		return all
	}
	for _, fn := range region(p.ps.pkg, update) {
		for in := range flow.Instrs(fn) {
			var used []ssa.Value
			switch in := in.(type) {
			case *ssa.Lookup:
				used = []ssa.Value{in.Index}
			case ssa.CallInstruction:
				if kube.Logs(flow.Callee(in.Common())) {
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
	}
	return all
}

// assertedKinds are the names of the concrete types that fn asserts anything to have, in order.
func assertedKinds(fn *ssa.Function) []string {
	var kinds []string
	for _, t := range controllers.Asserted(fn) {
		if n := kube.Named(t); n != nil && n.Obj().Pkg() != nil {
			kinds = append(kinds, kindName(n))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
