package origin

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// What other packages share with this one has a name that all of them use: "pkg/path.T.field", "pkg/path.variable",
// "pkg/path.F#0" for a parameter without counting the receiver, "pkg/path.F$0" for a result.

// FuncName returns what all packages call fn: a declared function or method, or a literal in one.
func FuncName(fn *ssa.Function) string {
	if obj := flow.Object(fn); obj != nil && fn.Parent() == nil {
		return obj.FullName()
	}
	return fn.RelString(nil)
}

// Stray reports whether code may have the group, or put something into it, that knows it by none of its names.
func (g Group) Stray() bool { return g.n.find().stray }

// Names returns what other packages call the group, sorted.
func (g Group) Names() []string { return names(g.n.find(), nil) }

// names adds those of n to all.
func names(n *node, all []string) []string {
	for _, l := range n.labels {
		if s := l.String(); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return all
}

// Names returns what other packages call the places that the function value v may come from, sorted.
func (ix *Index) Names(v ssa.Value) []string {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	n := ix.nodes[key(v)]
	if n == nil {
		return nil
	}
	var out []string
	ix.visit(n, func(n *node) { out = names(n, out) })
	return out
}

// A Supply is what flows to a place that other packages know: functions, dynamic types of interfaces, and what flows
// to other such places.
type Supply struct {
	Name  string
	Funcs []Func
	Types []types.Type
	From  []string // names
}

// Supplies returns those of all places with names, sorted.
func (ix *Index) Supplies() []Supply {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var out []Supply
	done := map[*node]bool{}
	for _, n := range ix.inOrder(func(key) bool { return true }) {
		if done[n] || len(n.labels) == 0 {
			continue
		}
		done[n] = true
		var s Supply
		var from []string
		ix.visit(n, func(m *node) {
			for _, f := range m.funcs {
				if !slices.ContainsFunc(s.Funcs, func(o Func) bool { return o.Fn == f.Fn }) {
					s.Funcs = append(s.Funcs, f)
				}
			}
			for _, t := range m.types {
				if !slices.ContainsFunc(s.Types, func(o types.Type) bool { return types.Identical(o, t) }) {
					s.Types = append(s.Types, t)
				}
			}
			if m != n {
				from = names(m, from)
			}
		})
		if len(s.Funcs)+len(s.Types)+len(from) == 0 {
			continue
		}
		slices.SortFunc(s.Funcs, func(a, b Func) int { return cmp.Compare(FuncName(a.Fn), FuncName(b.Fn)) })
		for _, name := range names(n, nil) {
			out = append(out, Supply{name, s.Funcs, s.Types, from})
		}
	}
	slices.SortStableFunc(out, func(a, b Supply) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Channels returns the groups of channels that other packages know by a name.
func (ix *Index) Channels() []Group {
	var out []Group
	done := map[*node]bool{}
	for _, n := range ix.inOrder(isChannel) {
		if !done[n] && len(n.labels) > 0 {
			done[n] = true
			out = append(out, Group{n})
		}
	}
	return out
}

// inOrder returns the nodes, or those that they became a part of, of the keys that is is true of, in the order in
// which these were met.
func (ix *Index) inOrder(is func(key) bool) []*node {
	var all []*node
	for k, n := range ix.nodes {
		if is(k) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *node) int { return cmp.Compare(a.id, b.id) })
	for i, n := range all {
		all[i] = n.find()
	}
	return all
}

// isChannel reports whether k stands for a channel, or a place for one.
func isChannel(k key) bool {
	var t types.Type
	switch k := k.(type) {
	case ssa.Value:
		t = k.Type()
	case *types.Var:
		t = k.Type()
	case resultKey:
		t = k.fn.Signature.Results().At(k.i).Type()
	default:
		return false
	}
	return leads(t, func(t types.Type) bool { _, ok := t.Underlying().(*types.Chan); return ok }, nil)
}
