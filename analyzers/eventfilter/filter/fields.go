package filter

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// fields reports the predicates of w that let some changes of the spec through and drop those of a field which the reconciler reads. Fields
// of the cluster's own kinds are left alone: many of them never change.
func (d *dropped) fields(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Again || ofCluster(w.Kind) {
		return
	}
	for _, n := range needs.of(w.Kind, specField) {
		q := d.loses(c, w, change{what: "field", paths: []string{n.Key}, bumped: true, deletion: no})
		if some := specChange().of(w.Kind); q == nil || q.judge(some).drops() || d.lookedAtAgain(w, n) {
			continue
		}
		d.report(rule.Finding{Pos: q.Pos, Sub: "fields", Message: fmt.Sprintf(
			"%s drops updates of %s that change only %s, but %s reads it at %s: who changes it waits for an unrelated event",
			q.Name, kindOf(w.Kind), what(n.Key), n.By, n.At),
			Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the field is read here"}}})
		return
	}
}

// what is the field at path, for a message.
func what(path string) string {
	if list, ok := strings.CutSuffix(path, elements); ok {
		return "what lies in " + list
	}
	return path
}

// ofCluster reports whether kind is one of the cluster itself.
func ofCluster(kind types.Type) bool {
	n := kube.Named(kind)
	return n != nil && n.Obj().Pkg() != nil && strings.HasPrefix(kube.Path(n.Obj().Pkg().Path()), "k8s.io/")
}

// fieldReads are the fields below the one at fa, which lies at path of its object, that are loaded for more than logs, with where that is done.
// What is loaded as a whole says nothing of its fields; of the status, that is enough.
func fieldReads(fa *ssa.FieldAddr, path string) iter.Seq2[string, ssa.Instruction] {
	return func(yield func(string, ssa.Instruction) bool) {
		for _, r := range *fa.Referrers() {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				f := flow.Field(r.X.Type(), r.Field)
				if f == nil {
					continue
				}
				for p, at := range fieldReads(r, step(path, f)) {
					if !yield(p, at) {
						return
					}
				}
			case *ssa.UnOp:
				_, whole := r.Type().Underlying().(*types.Struct)
				path := path
				if readsElements(r) {
					path += elements
				}
				if r.Op == token.MUL && (!whole && path != specPath || within(path, statusPath)) && kube.BesidesLogs(r) && !yield(path, r) {
					return
				}
			}
		}
	}
}

// elements ends the path of a list or a map of which something is read that lies in it.
const elements = "[]"

// readsElements reports whether what lies in list, a list or a map, is looked at one by one.
func readsElements(list *ssa.UnOp) bool {
	switch list.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return false
	}
	return slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			return r.X == ssa.Value(list)
		case *ssa.Range, *ssa.Lookup:
			return true
		}
		return false
	})
}

// elementOf is an element of the list at x, where none of the constants there is the key that the change is of: what is done with one of
// these is done with each.
func (ev *evaluation) elementOf(x ssa.Value) (value, bool) {
	all := texts(x)
	if len(all) == 0 || !ev.change.ofMetadata() || !strings.HasSuffix(ev.change.paths[0], "]") ||
		slices.ContainsFunc(all, func(s string) bool { return strings.HasSuffix(ev.change.paths[0], keyed("", s)) }) {
		return value{}, false
	}
	return value{kind: constValue, konst: constant.MakeString(all[0])}, true
}

// listIn is the value that the variable of a list holds for good.
func listIn(x ssa.Value) ssa.Value {
	x = flow.Resolve(x)
	load, ok := x.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return x
	}
	switch a := load.X.(type) {
	case *ssa.FreeVar:
		if b := flow.Binding(a); b != nil {
			return flow.StoredOnce(b)
		}
	case *ssa.Global:
		return flow.Initial(a)
	}
	return x
}
