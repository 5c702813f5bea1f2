// Package tombstone finds delete handlers and predicates that do not handle DeletedFinalStateUnknown tombstones.
package tombstone

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// The check
//
// A client-go informer that missed a deletion calls the delete handler later with a cache.DeletedFinalStateUnknown, a
// tombstone, instead of the object. A handler that asserts the object's type then panics or ignores the deletion.
//
// For each handler of the package (kubeapi.Handlers):
//
//  1. Collect the functions that receive tombstones: its delete function or method, the filter of a
//     cache.FilteringResourceEventHandler, functions passed to a constructor of another package whose fact says that
//     it makes a delete handler of them (Fate.Deletes), and functions that assert an argument to be a tombstone
//     themselves. A handler that a filter wraps receives none if the filter rejects tombstones: only the filter is
//     reported then (shielded, shieldedVals). A handler that other code than an informer calls receives none either.
//  2. Follow the parameter through each of these functions and its callees (follow.go): every type assertion of it
//     fails except the one to cache.DeletedFinalStateUnknown. An assertion without comma-ok panics; after a failed one,
//     the deletion is lost if the function only logs and returns.
//  3. Report the first problem that loses something: one that panics, or drops a deletion that matters. A deletion does
//     not matter if the handler only queues a key whose reconciler does nothing for an object that is gone, if updates
//     or a resync queue the same key, or if the handler only forgets data under the object's UID (idle.go, same.go).
//
// What a function of another package does comes from its fact, Fate. Predicates of controller-runtime get no tombstones
// but a flag, DeleteStateUnknown, and are checked in predicate.go.
//
// Approximations: values are followed through conversions, closures and variables that are assigned once. A value that
// is stored elsewhere, or passed to a function without a known body or fact, counts as handled: nothing is reported.
// Branches are decided only by type assertions and by the calls that depend on them (paths.Reachable); all others count
// as possible both ways.
//
// Left alone: handlers in test folders, filters whose rejection drops nothing that a known wrapped handler needs, and
// handlers that only log.

// tombstones is the state of the check for one package.
type tombstones struct {
	unit *link.Unit[Part]
	pass *analysis.Pass
	pkg  *program.Program
	// by the position of the problem: each is reported once
	reported map[token.Pos]bool
	// how parameters of callees of handlers fare
	memo     program.Answers[*ssa.Parameter, fate] // of parameters of callees of handlers
	all      []*kubeapi.Handler                    // all handlers of the package
	fates    map[*ssa.Function]*Fate               // the results of fateOf so far
	absences program.Answers[*ssa.Function, Absence]
	// whether a function of the package calls the delete method of a handler itself
	callsHandlersItself func() bool
	kinds               func() map[*kubeapi.Handler][]types.Type
	noConsumer          program.Answers[queue, bool] // of hasNoConsumer
}

// newTombstones returns the state of the check of the package of u; all are the handlers of the package.
func newTombstones(u *link.Unit[Part], all []*kubeapi.Handler) *tombstones {
	t := &tombstones{
		unit: u, pass: u.Pass, pkg: program.Of(u.Pass), reported: map[token.Pos]bool{}, all: all,
		fates: map[*ssa.Function]*Fate{},
	}
	t.callsHandlersItself = sync.OnceValue(t.findsHandlerCalls)
	t.kinds = sync.OnceValue(t.kindsOf)
	return t
}

// entry is a function that is checked: a client-go informer calls it, or may call it, with a deleted object or with
// its tombstone.
type entry struct {
	fn  *ssa.Function
	obj *ssa.Parameter
	// role is the name under which the function was registered, for messages; at is the position of the registration.
	role string
	at   token.Pos
	// dropIsHarmless: only a panic on a tombstone is reported, since nothing is lost if the function ignores it.
	dropIsHarmless bool
	// wrapped is the handler that fn, a filter, wraps; nil if fn is no filter or the handler is not known.
	wrapped *kubeapi.Handler
	// callersUnknown: no known code registers the function, so that only what is a mistake for every caller is reported.
	callersUnknown bool
}

// Run reports the delete handlers of informers, and the predicates of controller-runtime, that do not handle
// tombstones, and exports the facts of the package. all are the handlers of the package.
func Run(u *link.Unit[Part], all []*kubeapi.Handler) {
	t := newTombstones(u, all)
	if rule.InTestFolder(u.Pass) { // not reported there
		t.export()
		return
	}
	t.handlers(all)
	if kubeapi.Imports(u.Pass.Pkg, func(path string) bool { return path == kubeapi.Event }) {
		t.predicates()
	}
	t.noteWatches()
	t.export()
}

// handlers checks the handlers of informers.
func (t *tombstones) handlers(all []*kubeapi.Handler) {
	shielded := map[*kubeapi.Handler]bool{} // handlers that get no tombstones, mostly because a filter rejects them
	shieldedVals := map[ssa.Value]bool{}    // what such filters wrap, known handlers or not
	for _, h := range all {
		if h.Wrapped != nil && h.Val != nil && t.calledOutsideInformers(h.Val) {
			shielded[h.Wrapped] = true
		}
		rejects := slices.ContainsFunc(h.Filter.Fns, t.rejectsTombstones) || t.problemInOtherPackage(h.Filter.Val) != nil
		if h.WrappedVal == nil || !rejects {
			continue
		}
		shieldedVals[h.WrappedVal] = true
		if h.Wrapped != nil {
			shielded[h.Wrapped] = true
		}
	}
	// Registrations of the same function of another package make one finding.
	causes := map[*types.Func][]registered{}
	var order []*types.Func
	addCause := func(part kubeapi.HandlerFunc, p *problem) {
		if causes[p.by] == nil {
			order = append(order, p.by)
		}
		causes[p.by] = append(causes[p.by], registered{part, p})
	}
	for _, h := range all {
		if h.Val != nil && t.calledOutsideInformers(h.Val) {
			continue
		}
		if h.Informer && !shielded[h] && !onlyShielded(h, shielded) {
			updatesDoTheSame := t.coveredByUpdates(h.Updated.Fns, h.Deleted.Fns)
			t.checkPart(h.Deleted, updatesDoTheSame, nil)
			if p := t.problemInOtherPackage(h.Deleted.Val); p != nil {
				addCause(h.Deleted, p)
			}
		}
		harmed, known := t.harmed(h)
		wrapsNoDelete := h.Wrapped != nil && !h.Wrapped.Deleted.At.IsValid()
		dropIsHarmless := wrapsNoDelete || known && !harmed
		t.checkPart(h.Filter, dropIsHarmless, h.Wrapped)
		if p := t.problemInOtherPackage(h.Filter.Val); p != nil && (p.panics || harmed) {
			addCause(h.Filter, p)
		}
	}
	for _, by := range order {
		t.reportCauses(causes[by])
	}
	for call := range flow.InstrsOf[*ssa.Call](t.pkg.All()...) {
		if shieldedVals[call] {
			continue
		}
		passed := t.deleteHandlersOf(call)
		if len(passed) == 0 || t.calledOutsideInformers(call) {
			continue
		}
		updatesDoTheSame := t.alsoHandlesUpdates(call) && t.coveredByUpdates(passed, passed)
		name := "the function passed to " + calleeName(&call.Call)
		for _, del := range passed {
			part := kubeapi.HandlerFunc{Fns: []*ssa.Function{del}, Name: name, At: call.Pos()}
			t.checkPart(part, updatesDoTheSame, nil)
		}
	}
	// A function that asserts a parameter to be a tombstone is meant to get some, even if only other packages register it.
	for _, fn := range t.pkg.Funcs {
		isFilterOf := func(h *kubeapi.Handler) bool { return slices.Contains(h.Filter.Fns, fn) }
		unknownFilter := returnsBool(fn) && !slices.ContainsFunc(all, isFilterOf)
		for _, p := range fn.Params {
			mayBeRegistered := fn.Signature.Results().Len() == 0 || unknownFilter
			if kubeapi.IsAny(p.Type()) && mayBeRegistered && expectsTombstone(fn, p) {
				t.check(entry{fn: fn, obj: p, role: nameOf(fn), at: fn.Pos(), callersUnknown: unknownFilter})
			}
		}
	}
}

// returnsBool reports whether fn has exactly one result, a bool, as filters have.
func returnsBool(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() == 1 && flow.IsBool(results.At(0).Type())
}

// nameOf returns a name of fn, which no known code registers, for a message.
func nameOf(fn *ssa.Function) string {
	if fn.Parent() != nil && returnsBool(fn) {
		return "this filter function"
	}
	return flow.FuncName(fn)
}

// registered is one registration of a function of another package that mishandles tombstones.
type registered struct {
	part kubeapi.HandlerFunc
	how  *problem
}

// reportCauses reports all, the registrations of one function of another package, as one finding at the first of
// them.
func (t *tombstones) reportCauses(all []registered) {
	slices.SortFunc(all, func(a, b registered) int { // by function name first: it stays when source moves
		return cmp.Or(cmp.Compare(a.part.In, b.part.In), cmp.Compare(a.part.At, b.part.At))
	})
	first := all[0]
	var others []analysis.RelatedInformation
	for _, r := range all[1:] {
		others = append(others, analysis.RelatedInformation{Pos: r.part.At, Message: "likewise here"})
	}
	how := *first.how
	switch len(others) {
	case 0:
	case 1:
		how.text += " (and 1 more place)"
	default:
		how.text += fmt.Sprintf(" (and %d more places)", len(others))
	}
	t.report(first.part.Name, first.part.At, nil, &how, others...)
}

// deleteHandlersOf returns the functions of the package that call, a constructor of a handler, makes the delete
// function of the handler, by the fact of the callee; nil if call is no such constructor.
func (t *tombstones) deleteHandlersOf(call *ssa.Call) []*ssa.Function {
	if call.Call.Signature().Results().Len() != 1 || !kubeapi.IsResourceEventHandler(call.Type()) {
		return nil
	}
	f := t.known(&call.Call)
	if f == nil || f.Deletes == 0 || f.Deletes > len(call.Call.Args) {
		return nil
	}
	fns, _ := t.pkg.FunctionsIn(call.Call.Args[f.Deletes-1])
	return fns
}

// alsoHandlesUpdates reports whether the handler that call makes also calls the functions of deleteHandlersOf on
// updates.
func (t *tombstones) alsoHandlesUpdates(call *ssa.Call) bool {
	f := t.known(&call.Call)
	return f != nil && f.Always
}

// calleeName returns the name of the callee of call, for messages.
func calleeName(call *ssa.CallCommon) string {
	if fn := flow.Callee(call); fn != nil {
		return fn.Name()
	}
	if made, ok := call.Value.(*ssa.Call); ok && flow.Callee(&made.Call) != nil {
		return "the function returned by " + flow.Callee(&made.Call).Name()
	}
	return "the handler"
}

// wrappedFns returns the functions that run on deletions and on updates that the filter of h lets through, as far as
// they are known: functions in a struct, functions that a constructor makes a handler of, or the methods of a type.
// known is false if the wrapped handler is not known.
func (t *tombstones) wrappedFns(h *kubeapi.Handler) (deleted, updated []*ssa.Function, known bool) {
	if h.Wrapped != nil {
		return h.Wrapped.Deleted.Fns, h.Wrapped.Updated.Fns, len(h.Wrapped.Deleted.Fns) > 0
	}
	if call, ok := h.WrappedVal.(*ssa.Call); ok {
		deleted = t.deleteHandlersOf(call)
		if t.alsoHandlesUpdates(call) {
			updated = deleted
		}
		return deleted, updated, true
	}
	if h.WrappedVal != nil {
		if named := kubeapi.Named(flow.Unwrap(h.WrappedVal).Type()); named != nil {
			for _, x := range t.all {
				if x.Type == named {
					return x.Deleted.Fns, x.Updated.Fns, len(x.Deleted.Fns) > 0
				}
			}
		}
	}
	return nil, nil, false
}

// harmed reports whether the handler that the filter of h wraps is known and does something on a deletion that is
// lost if the filter drops it; known reports whether the wrapped handler is known.
func (t *tombstones) harmed(h *kubeapi.Handler) (harmed, known bool) {
	deleted, updated, known := t.wrappedFns(h)
	if t.coveredByUpdates(updated, deleted) {
		return false, known
	}
	harmed = slices.ContainsFunc(deleted, func(fn *ssa.Function) bool {
		return !t.harmlessToMiss(fn) && !onlyLogs(fn) && !doesNothing(fn)
	})
	return harmed, known
}

// doesNothing reports whether the body of fn, which is known, starts with a return.
func doesNothing(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 {
		return false
	}
	_, ok := fn.Blocks[0].Instrs[0].(*ssa.Return)
	return ok
}

// checkPart checks the functions of part. dropIsHarmless: only panics are reported. wrapped is the handler that part,
// a filter, wraps; nil for other parts.
func (t *tombstones) checkPart(part kubeapi.HandlerFunc, dropIsHarmless bool, wrapped *kubeapi.Handler) {
	for _, fn := range part.Fns {
		if obj := lastAny(fn); obj != nil {
			harmless := dropIsHarmless || t.harmlessToMiss(fn)
			t.check(entry{
				fn: fn, obj: obj, role: part.Name, at: part.At,
				dropIsHarmless: harmless, wrapped: wrapped,
			})
		}
	}
}

// rejectsTombstones reports whether the filter fn panics on tombstones, drops them, or is reported for either.
func (t *tombstones) rejectsTombstones(fn *ssa.Function) bool {
	if len(fn.Params) != 1 || !kubeapi.IsAny(fn.Params[0].Type()) {
		return false
	}
	return kubeapi.AssertsStruct(fn) != nil || len(t.follow(fn, fn.Params[0], true).problems) > 0
}

// onlyShielded reports whether a shielded handler calls the methods of the type h: then the type is registered through
// a filter that rejects tombstones. That the type is not also registered without a filter is assumed.
func onlyShielded(h *kubeapi.Handler, guarded map[*kubeapi.Handler]bool) bool {
	if h.Type == nil {
		return false
	}
	for other := range guarded {
		isMethod := func(fn *ssa.Function) bool { return slices.Contains(h.Deleted.Fns, fn) }
		if other != h && slices.ContainsFunc(other.Deleted.Fns, isMethod) {
			return true
		}
	}
	return false
}

// expectsTombstone reports whether fn asserts p to be a tombstone, or a pointer to one.
func expectsTombstone(fn *ssa.Function, p *ssa.Parameter) bool {
	return flow.Any(flow.InstrsOf[*ssa.TypeAssert](fn), func(a *ssa.TypeAssert) bool {
		return raw(a.X) == ssa.Value(p) && kubeapi.Tombstone.Is(a.AssertedType)
	})
}
