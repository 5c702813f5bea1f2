// Package tombstone finds handlers and filters of deletions that do not expect what stands for an object whose deletion was
// missed.
package tombstone

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// tombstones looks for handlers of deletions that do not expect a cache.DeletedFinalStateUnknown in the place of the
// object. A client-go informer sends one when it missed the deletion itself.
type tombstones struct {
	pass     *analysis.Pass
	pkg      *program.Program
	reported map[token.Pos]bool
	memo     program.Answers[*ssa.Parameter, fate] // of the callees of handlers
}

// entry is a function that a client-go informer calls with a deleted object, or with its tombstone.
type entry struct {
	fn  *ssa.Function
	obj *ssa.Parameter
	// role is how the function was registered, and at where.
	role string
	at   token.Pos
	// dropsAreFine: the object is not wanted, so that only a panic hurts.
	dropsAreFine bool
	// behind is who gets what the function lets through, a filter.
	behind *controllers.Handler
}

// Run reports the handlers of deletions of informers, and the predicates of controller-runtime, that do not expect what stands
// for an object whose deletion was missed.
func Run(pass *analysis.Pass, all []*controllers.Handler) {
	t := &tombstones{pass: pass, pkg: program.Of(pass), reported: map[token.Pos]bool{}}
	if kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Cache }) {
		t.handlers(all)
	}
	if kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event }) {
		t.predicates()
	}
}

func (t *tombstones) handlers(all []*controllers.Handler) {
	guarded := map[*controllers.Handler]bool{} // no tombstone gets there; the filter in front is told
	for _, h := range all {
		if h.Behind != nil && slices.ContainsFunc(h.Filter.Fns, t.refuses) {
			guarded[h.Behind] = true
		}
	}
	for _, h := range all {
		if h.Informer && !guarded[h] {
			t.checkPart(h.Deleted, false, nil)
		}
		t.checkPart(h.Filter, h.Behind != nil && !h.Behind.Deleted.At.IsValid(), h.Behind)
	}
	// A function that looks for a tombstone gets some, whoever registers it, perhaps another package.
	for _, fn := range t.pkg.Funcs {
		for _, p := range fn.Params {
			if kube.IsAny(p.Type()) && fn.Signature.Results().Len() == 0 && expectsTombstone(fn, p) {
				t.check(entry{fn: fn, obj: p, role: flow.FuncName(fn), at: fn.Pos()})
			}
		}
	}
}

func (t *tombstones) checkPart(part controllers.Part, dropsAreFine bool, behind *controllers.Handler) {
	for _, fn := range part.Fns {
		if n := len(fn.Params); n > 0 && kube.IsAny(fn.Params[n-1].Type()) {
			t.check(entry{fn, fn.Params[n-1], part.Name, part.At, dropsAreFine || t.idle(fn), behind})
		}
	}
}

// refuses reports whether the filter fn drops tombstones, as those are reported for.
func (t *tombstones) refuses(fn *ssa.Function) bool {
	if len(fn.Params) != 1 || !kube.IsAny(fn.Params[0].Type()) {
		return false
	}
	problems := t.follow(fn, fn.Params[0], true).problems
	return len(problems) > 0 && !problems[0].panics
}

// expectsTombstone reports whether fn asserts p to be a tombstone, or a pointer to one.
func expectsTombstone(fn *ssa.Function, p *ssa.Parameter) bool {
	for in := range flow.Instrs(fn) {
		if a, ok := in.(*ssa.TypeAssert); ok && raw(a.X) == ssa.Value(p) && kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown") {
			return true
		}
	}
	return false
}

// problem is one way in which a handler goes wrong on a tombstone.
type problem struct {
	byHand bool // no edit mends it that is sure to be right
	pos    token.Pos
	text   string // what happens, after the name of the handler
	panics bool
	// sure: it goes wrong whatever else looks at the object.
	sure bool
	// fn is the function that goes wrong, obj its parameter. instead replaces the name at pos, if that is all it takes.
	fn      *ssa.Function
	obj     ssa.Value
	instead string
}

func (t *tombstones) check(e entry) {
	for _, p := range t.follow(e.fn, e.obj, true).problems {
		if t.reported[p.pos] || e.dropsAreFine && !p.panics {
			continue
		}
		t.reported[p.pos] = true
		rule.Report(t.pass, rule.Finding{
			Pos: p.pos, Sub: "tombstone",
			Message: fmt.Sprintf("%s (line %d) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and %s", e.role, rule.Line(t.pass, e.at), p.text),
			Related: []analysis.RelatedInformation{{Pos: e.at, Message: e.role + " is called for deletions here"}},
			Fixes:   t.withBehind(t.fixes(p), e.behind),
		})
		return // one a handler
	}
}
