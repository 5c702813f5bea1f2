package filter

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// The decoder of client-go clears the kind that an object names itself where it decodes into a struct: the type says it. Only the objects of custom
// kinds that the first list of a watch has keep theirs, until they change. Unstructured objects, and bare metadata, have it.

// kindless reports a predicate of w, and a function that maps its objects to requests, that comes to something only where the object names its kind.
func (d *dropped) kindless(w *watch) {
	named := kube.OneKind(w.Kind)
	if named == nil || !w.understoodOptions() {
		return
	}
	name := named.Obj().Name()
	for _, q := range w.pred.conjuncts() {
		if q.Op != controllers.ByHand {
			continue
		}
		for _, event := range []string{"Update", "Create", "Delete"} {
			if fn := q.Fns[event]; fn != nil && len(fn.Blocks) > 0 && d.dropsUnnamed(fn, w.Kind, "") && !d.dropsUnnamed(fn, w.Kind, name) {
				d.reportKindless(w, fn, "drops every "+noun[event]+" of %s")
			}
		}
	}
	if fn := d.mapping(w); fn != nil && len(fn.Blocks) > 0 && d.mapsNone(fn, w.Kind, "") && !d.mapsNone(fn, w.Kind, name) {
		d.reportKindless(w, fn, "gives no request for any %s")
	}
}

// noun is what an event of controller-runtime is about.
var noun = map[string]string{"Update": "update", "Create": "creation", "Delete": "deletion"}

// understoodOptions reports whether each option of w is known, so that none makes it one of bare metadata.
func (w *watch) understoodOptions() bool {
	for _, p := range w.Predicates {
		if p.Value == nil {
			return false
		}
	}
	return true
}

// dropsUnnamed reports whether fn, of a predicate, surely drops each event of an object of type kind that names itself self.
func (d *dropped) dropsUnnamed(fn *ssa.Function, kind types.Type, self string) bool {
	for _, bumped := range []bool{true, false} {
		if !d.ps.judge(fn, anyChange(bumped).of(kind).by(self)).drops() {
			return false
		}
	}
	return true
}

// mapsNone reports whether fn surely gives no request for an object of type kind that names itself self.
func (d *dropped) mapsNone(fn *ssa.Function, kind types.Type, self string) bool {
	some, none := false, true
	ev := newEvaluation(d.ps, fn, anyChange(true).of(kind).by(self))
	ev.left = func(results []value) {
		some = true
		none = none && len(results) == 1 && results[0].isEmpty()
	}
	_, ok := ev.run(fn, inputs(fn), nil)
	return ok && some && none
}

// reportKindless reports fn, of the watch w, which does what is said.
func (d *dropped) reportKindless(w *watch, fn *ssa.Function, does string) {
	var at token.Pos
	ev := newEvaluation(d.ps, fn, anyChange(true).of(w.Kind).by(""))
	ev.kindAsked = func(pos token.Pos) {
		if !at.IsValid() || pos < at {
			at = pos
		}
	}
	ev.left = func([]value) {} // all ways
	ev.run(fn, inputs(fn), nil)
	if !at.IsValid() {
		return
	}
	d.report(rule.Finding{Pos: at, Sub: "constant", Site: "empty-type-meta", Message: fmt.Sprintf(
		"%s "+does+": it goes by the kind that the object names, and objects that a watch decodes into a struct name none; ask for their type", filterName(fn), kindOf(w.Kind)),
		Related: []analysis.RelatedInformation{{Pos: w.Pos, Message: "the watch is set up here"}}})
}

// by is c of an object that names self as its kind.
func (c change) by(self string) change {
	c.named, c.self = true, self
	return c
}

// Below an object: what says its kind, and that as a value.
const (
	typeMetaPath = "kind"
	gvkPath      = "gvk"
)

// sameKind says whether x and y, the sides of the comparison at pos, are equal, where one is the kind that an object names and the other a constant.
func (ev *evaluation) sameKind(pos token.Pos, x, y value) truth {
	if x.kind == constValue {
		x, y = y, x
	}
	switch {
	case !ev.change.named, ev.handed, x.kind != placeValue, x.copy, x.path != typeMetaPath+".Kind" && x.path != gvkPath+".Kind":
		return maybe
	case y.kind != constValue, y.konst == nil, y.konst.Kind() != constant.String:
		return maybe
	}
	name := constant.StringVal(y.konst)
	if name == "" {
		return maybe // it is asked whether the object names any, and some of the first list do
	}
	if ev.kindAsked != nil {
		ev.kindAsked(pos)
	}
	return truthOf(ev.change.self == name)
}

// typeMeta is what fn, which is given args, gives of the kind that an object names.
func (ev *evaluation) typeMeta(fn *types.Func, args []value) (value, bool) {
	if !ev.change.named || len(args) != 1 || args[0].kind != placeValue {
		return value{}, false
	}
	v := args[0]
	switch {
	case fn.Name() == "GetObjectKind" && (v.path == "" || v.path == typeMetaPath):
		v.path = typeMetaPath
	case fn.Name() == "GroupVersionKind" && v.path == typeMetaPath:
		v.path = gvkPath
	default:
		return value{}, false
	}
	return v, true
}

// hands notes that callee, which is out of sight, is given args: with an object it may write the kind.
func (ev *evaluation) hands(callee *types.Func, args []value) {
	if !ev.change.named {
		return
	}
	looks := callee != nil && (kube.IsGetter(callee) || kube.Logs(callee) || deepEqual(callee) || onlyLooks(callee))
	for _, a := range args {
		if a.kind == placeValue && !a.copy && (a.path == typeMetaPath || a.path == "" && !looks) {
			ev.handed = true
		}
	}
}

// writes notes that something is written to addr.
func (ev *evaluation) writes(f *frame, addr ssa.Value) {
	if !ev.change.named {
		return
	}
	if v := ev.eval(f, addr); v.kind == placeValue && !v.copy && (v.path == "" || within(v.path, typeMetaPath)) {
		ev.handed = true
	}
}
