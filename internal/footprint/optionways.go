package footprint

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A point is where a value is used: in a block, or if to is not nil, on the edge from that block to it.
type point struct{ in, to *ssa.BasicBlock }

// tests yields the tests that control has passed at p, the last one first.
func (p point) tests() iter.Seq2[*ssa.If, flow.Truth] {
	return func(yield func(*ssa.If, flow.Truth) bool) {
		if p.to != nil {
			if test, t := flow.EdgeTest(p.in, p.to); test != nil && !yield(test, t) {
				return
			}
		}
		for test, t := range flow.PathCondition(p.in) {
			if !yield(test, t) {
				return
			}
		}
	}
}

// A way leads from where a manager is made to a place that says something of it.
type way struct {
	at    point // where the value is used that is read
	of    Entry // the kind of which it is said
	steps []step
}

// A step of a way is a block that stores something, before the block use, or before its function returns if that is nil;
// or it is one of n values that another one may be.
type step struct {
	at   point
	use  *ssa.BasicBlock
	of   ssa.Value
	i, n int
}

// store returns w with a store in b; a literal counts as run where it is made.
func (w way) store(b *ssa.BasicBlock) way {
	if fn := b.Parent(); fn != w.at.in.Parent() && fn.Parent() != nil && flow.ClosureSite(fn) != nil {
		w = w.store(flow.ClosureSite(fn).Block())
	}
	s := step{at: point{in: b}}
	if w.at.in.Parent() == b.Parent() {
		s.use = w.at.in
	}
	return way{s.at, w.of, append(slices.Clip(w.steps), s)}
}

// one returns w with the alternative i of n for the value v.
func (w way) one(v ssa.Value, i, n int, at point) way {
	return way{at, w.of, append(slices.Clip(w.steps), step{at: at, of: v, i: i, n: n})}
}

// surely reports whether control comes to the end of one of ways in any case: on each path, or with each alternative.
func surely(ways [][]step) bool {
	rest := map[step][][]step{}
	for _, w := range ways {
		if len(w) == 0 {
			return true
		}
		rest[w[0]] = append(rest[w[0]], w[1:])
	}
	type decision struct {
		of  ssa.Value
		use *ssa.BasicBlock
		fn  *ssa.Function
	}
	made := map[decision][]step{}
	for s, ways := range rest {
		if surely(ways) {
			d := decision{s.of, s.use, s.at.in.Parent()}
			if s.of != nil {
				d.fn = nil // callers are functions of their own
			}
			made[d] = append(made[d], s)
		}
	}
	for d, steps := range made {
		if d.of == nil && covers(steps, d.use) || d.of != nil && len(steps) == steps[0].n {
			return true
		}
	}
	return false
}

// covers reports whether each path through the function of steps passes one of them before use, or before it returns. A
// loop over elements is taken to have one, and the initializer of a package to run.
func covers(steps []step, use *ssa.BasicBlock) bool {
	fn := steps[0].at.in.Parent()
	if fn.Synthetic != "" && fn.Parent() == nil {
		return true
	}
	in := flow.Blocks{}
	for _, s := range steps {
		block := s.at.in
		for _, l := range flow.Loops(fn) {
			if l.Blocks[block] && l.OverElements() && !l.Blocks[use] {
				block = l.Header
			}
		}
		in[block] = true
	}
	free := flow.BlocksAlong(func(from, _ *ssa.BasicBlock) bool { return !in[from] }, fn.Blocks[0])
	if use != nil {
		return !free[use] || in[use]
	}
	for ret := range flow.Returns(fn) {
		if free[ret.Block()] && !in[ret.Block()] {
			return false
		}
	}
	return true
}

// manager returns what the options say: a restriction counts if all code that sets it sets the same, and does so in any
// case. Of namespaces, the union counts, which may be all if they are not always set. As in the library since v0.16, a
// kind inherits what it does not say; a kind with all namespaces of its own is taken for one without any.
func (r *optionReader) manager() Manager {
	type group struct {
		is   kubeapi.Setting
		kind Kind
	}
	m, said := r.m, map[group][]option{}
	for _, o := range r.options {
		said[group{o.is, o.of.Kind}] = append(said[group{o.is, o.of.Kind}], o)
	}
	// holds returns whether what the group says holds in any case; if not, it notes the condition.
	holds := func(is kubeapi.Setting, of Entry, what string) bool {
		var ways [][]step
		for _, o := range said[group{is, of.Kind}] {
			ways = append(ways, o.way.steps)
		}
		sure := surely(ways)
		if condition := r.condition(ways); !sure && condition != "" {
			if of.Kind.Type != "" {
				what += " of " + of.Kind.Type[strings.LastIndexAny(of.Kind.Type, "./")+1:]
			}
			m.Unless = append(m.Unless, what+" only if "+condition)
		}
		return sure
	}
	scope := func(of Entry, s Scope) Scope {
		s.Entry = of
		if list := said[group{kubeapi.Namespaces, of.Kind}]; list != nil {
			var names []Namespace
			for _, o := range list {
				names = append(names, o.names...)
			}
			if own := union(names, !holds(kubeapi.Namespaces, of, "namespaces")); own != nil {
				s.Namespaces = own
			}
		}
		for _, to := range []struct {
			is   kubeapi.Setting
			what string
			text *string
		}{{kubeapi.Labels, "labels", &s.Labels}, {kubeapi.Fields, "fields", &s.Fields}} {
			if list := said[group{to.is, of.Kind}]; list != nil {
				*to.text = list[0].text
				if differ := func(o option) bool { return o.text != list[0].text }; !holds(to.is, of, to.what) || slices.ContainsFunc(list, differ) {
					*to.text = ""
				}
			}
		}
		if said[group{kubeapi.Transform, of.Kind}] != nil {
			s.Transform = holds(kubeapi.Transform, of, "transform")
		}
		return s
	}
	m.Default = scope(Entry{}, Scope{})
	for _, o := range r.options {
		first := said[group{o.is, o.of.Kind}][0].of
		if o.is == kubeapi.ByObject && !slices.ContainsFunc(m.Objects, func(s Scope) bool { return s.Kind == first.Kind }) {
			m.Objects = append(m.Objects, scope(first, m.Default))
		} else if o.is == kubeapi.DisableFor && !slices.ContainsFunc(m.DisableFor, func(e Entry) bool { return e.Kind == first.Kind }) {
			holds(o.is, first, "live reads")
			m.DisableFor = append(m.DisableFor, first)
		}
	}
	slices.Sort(m.Unless)
	m.Unless = slices.Compact(m.Unless)
	return m
}

// union returns list without the empty name, which stands for all namespaces: it marks the others then, as all does.
func union(list []Namespace, all bool) (out []Namespace) {
	all = all || slices.ContainsFunc(list, func(n Namespace) bool { return n.Text == "" })
	for _, n := range list {
		if i := slices.IndexFunc(out, func(o Namespace) bool { return o.Text == n.Text }); i >= 0 {
			out[i].All = out[i].All || n.All
		} else if n.Text != "" {
			out = append(out, Namespace{n.Text, n.All || all})
		}
	}
	return out
}

// condition returns a test whether something is set that all ways pass, as text; "" if there is none.
func (r *optionReader) condition(ways [][]step) string {
	var common []string
	for n, w := range ways {
		var own []string
		for _, s := range w {
			for test, t := range s.at.tests() {
				known := s.use != nil && flow.Any2(flow.PathCondition(s.use), func(o *ssa.If, ot flow.Truth) bool { return o == test && ot == t })
				if x, set := setTest(test.Cond, t); set != flow.Unknown && !known && !flow.TestsLoop(test.Block()) && !flow.IsError(x.Type()) {
					own = append(own, r.name(x, s.at)+map[flow.Truth]string{flow.True: " is set", flow.False: " is not set"}[set])
				}
			}
		}
		if n == 0 {
			common = own
		}
		common = slices.DeleteFunc(common, func(c string) bool { return !slices.Contains(own, c) })
	}
	return strings.Join(common[:min(1, len(common))], "")
}
