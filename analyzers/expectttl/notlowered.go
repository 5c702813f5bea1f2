package expectttl

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
	"github.com/ctrllint/ctrllint/internal/words"
)

// expectation is a call that sets one.
type expectation struct {
	call  *ssa.Call
	store store
	fn    *types.Func
	verb  string // "create", "delete", "update", or "" where the call does not say what is to come
}

func asExpectation(call *ssa.Call) (expectation, bool) {
	recv, r := storeCall(&call.Call)
	if r != expects || isReset(&call.Call) {
		return expectation{}, false
	}
	fn := flow.Callee(&call.Call)
	return expectation{call, storeOf(recv), fn, cmp.Or(verbOf(fn.Name(), flow.Args(&call.Call)), countedVerb(fn, &call.Call))}, true
}

// countedVerb returns the verb of a call that gets how many are to come of each: the one of which there are any, as
// far as constants tell.
func countedVerb(fn *types.Func, c *ssa.CallCommon) string {
	params, args := fn.Signature().Params(), flow.Args(c)
	verb := ""
	for i := range min(params.Len(), len(args)) {
		n := params.At(i).Name()
		if !flow.IsInteger(args[i].Type()) || flow.IsZero(args[i]) {
			continue
		}
		v := ""
		switch {
		case words.Has(n, "add", "adds", "create", "creates", "creations"):
			v = "create"
		case words.Has(n, "del", "dels", "delete", "deletes", "deletions"):
			v = "delete"
		}
		if v == "" || verb != "" {
			return ""
		}
		verb = v
	}
	return verb
}

// ofAnother reports whether in takes back something else from the store than what e expects: a deletion, and no
// creation.
func (e expectation) ofAnother(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok || e.verb == "" {
		return false
	}
	recv, r := storeCall(&call.Call)
	if r != observes || !e.store.is(recv) {
		return false
	}
	fn := flow.Callee(&call.Call)
	v := cmp.Or(verbOf(fn.Name(), flow.Args(&call.Call)), countedVerb(fn, &call.Call))
	return v != "" && v != e.verb
}

// ofThisCall reports whether the store is made by the function itself, which keeps it: it is gone when that returns.
func (s store) ofThisCall(fn *ssa.Function) bool {
	made := s.path.Root
	switch made.(type) {
	case *ssa.Call, *ssa.Alloc:
		return s.path.Sel == "" && made.Parent() == fn && !values.Escapes(made)
	}
	return false
}

// isReset reports whether the call expects nothing: all its numbers are zero.
func isReset(c *ssa.CallCommon) bool {
	numbers := false
	for _, a := range flow.Args(c) {
		if !flow.IsInteger(a.Type()) {
			continue
		}
		if !flow.IsZero(a) {
			return false
		}
		numbers = true
	}
	return numbers
}

// verbOf returns what a store's method is about, by its name or by a constant that it gets.
func verbOf(name string, args []ssa.Value) string {
	texts := []string{name}
	for _, a := range args {
		if c, ok := a.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			texts = append(texts, constant.StringVal(c.Value))
		}
	}
	for _, t := range texts {
		t = strings.ToLower(t)
		for _, v := range []struct{ in, verb string }{{"creat", "create"}, {"delet", "delete"}, {"updat", "update"}} {
			// DeleteExpectations and the like are no deletions that are expected.
			if strings.Contains(t, v.in) {
				return v.verb
			}
		}
	}
	return ""
}

// isWrite reports whether in may be what an expectation of verb is about, of any where that is empty, and its error:
// a call that makes such a request or leads to one, also of a function that it is handed.
func (g *callGraph) isWrite(in ssa.Instruction, verb string) (err ssa.Value, ok bool) {
	call, isCall := in.(*ssa.Call)
	if !isCall || flow.ErrorResult(call.Call.Signature()) < 0 {
		return nil, false
	}
	about := func(verbs []string) bool { return verb == "" && len(verbs) > 0 || slices.Contains(verbs, verb) }
	if about(g.requestsOf(call)) || slices.ContainsFunc(g.runs(&call.Call), func(fn *ssa.Function) bool { return about(g.requests()[fn]) }) {
		return flow.ErrorOf(call), true
	}
	return nil, false
}

// checkLowered reports the exits of an expectation's function on which what is expected did not happen, and the
// expectation stays.
func (g *callGraph) checkLowered(e expectation) {
	if e.store.ofThisCall(e.call.Parent()) || takesObject(e.call) || g.followsWrite(e) || g.defersTouch(e) || g.callersTouch(e, e.call.Parent(), map[*ssa.Function]bool{}) {
		return
	}
	found, failed := map[*ssa.Return]*ssa.Call{}, map[ssa.Value]*ssa.Call{}
	lowered := map[*ssa.Call]bool{}
	var order []*ssa.Return
	var asked []ssa.Value // whether the object was there before
	already := map[*ssa.Return]bool{}
	writes := false
	w := &paths.Exploration{Calls: g.results}
	w.Visit = func(in ssa.Instruction, known *paths.State) bool {
		if v, ok := in.(ssa.Value); ok && hasFailed(known, failed) != nil {
			passError(v, known)
		}
		if call, ok := in.(*ssa.Call); ok && kubeapi.AlreadyExists.Has(flow.Callee(&call.Call)) {
			asked = append(asked, call)
		}
		if x, ok := in.(*ssa.Extract); ok {
			if call := failed[x]; call != nil {
				known.Assume(x, flow.False)
			}
		}
		// Without a failure, no function out of the package is expected to lower the expectation.
		if e.ofAnother(in) {
			return false
		}
		if g.changes(in, e.store) || known.Failing() && g.touches(in, e.store, map[*ssa.Function]bool{}) {
			if call := hasFailed(known, failed); call != nil {
				lowered[call] = true
			}
			return true
		}
		if err, ok := g.isWrite(in, e.verb); ok {
			writes = true
			if err == nil {
				return true // its failure is not tested
			}
			failed[err] = in.(*ssa.Call)
			known.Assume(err, flow.False)
		}
		return false
	}
	w.Return = func(ret *ssa.Return, known *paths.State) {
		call := hasFailed(known, failed)
		if call == nil && !givesError(ret, known) {
			return
		}
		if _, ok := found[ret]; !ok {
			found[ret] = call
			already[ret] = slices.ContainsFunc(asked, func(v ssa.Value) bool { return known.Value(v) == flow.True })
			order = append(order, ret)
		}
	}
	known := map[ssa.Value]flow.Truth{}
	if err := flow.ErrorOf(e.call); err != nil {
		known[err] = flow.True // an expectation that failed was not set
	}
	if !g.follow(w, e.call, known) || !writes {
		return
	}
	for _, ret := range order {
		if call := found[ret]; call != nil && lowered[call] && !already[ret] {
			continue // as far as needed, after the write that failed
		}
		g.reportNotLowered(e, found[ret], ret)
	}
}

// hasFailed returns the write whose error is known not to be nil, the last one in the source.
func hasFailed(known *paths.State, failed map[ssa.Value]*ssa.Call) (last *ssa.Call) {
	for err, call := range failed {
		if known.Value(err) == flow.False && (last == nil || call.Pos() > last.Pos()) {
			last = call
		}
	}
	return last
}

// passError adds what follows for v from a failed write: a test of its error for a kind (a timeout, an object that is
// not there) is false on the ways that are followed, since the other ones are deliberate; an error made of it is not
// nil.
func passError(v ssa.Value, known *paths.State) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return
	}
	takes := false
	for _, a := range flow.AllArgs(&call.Call) {
		if failedError(known, a) {
			takes = true
		}
		for _, el := range flow.Elements(a) {
			takes = takes || failedError(known, flow.Unwrap(el))
		}
	}
	results := call.Call.Signature().Results()
	if !takes || results.Len() != 1 {
		return
	}
	if kubeapi.AlreadyExists.Has(flow.Callee(&call.Call)) {
		return // no success either: another request has made the object, and has the event
	}
	// "No" is false for a bool, and not nil for an error.
	if t := results.At(0).Type(); flow.IsBool(t) || flow.IsError(t) {
		known.Assume(v, flow.False)
	}
}

// failedError reports whether v is an error that is there.
func failedError(known *paths.State, v ssa.Value) bool {
	return flow.IsError(v.Type()) && known.Value(v) == flow.False
}

// givesError reports whether ret surely returns an error.
func givesError(ret *ssa.Return, known *paths.State) bool {
	if len(ret.Results) == 0 {
		return false
	}
	last := ret.Results[len(ret.Results)-1]
	return failedError(known, last)
}

// takesObject reports whether an object of the API is among the arguments: what is expected is a version of it, which a
// write gave before.
func takesObject(call *ssa.Call) bool {
	return slices.ContainsFunc(flow.Args(&call.Call), func(a ssa.Value) bool { return kubeapi.IsObject(a.Type()) })
}

// followsWrite reports whether the write that e is about comes before it.
func (g *callGraph) followsWrite(e expectation) bool {
	found := false
	for c := range flow.Calls(e.call.Parent()) {
		if _, ok := g.isWrite(c, e.verb); ok && flow.Dominates(c, e.call) {
			found = true
		}
	}
	return found
}

// defersTouch reports whether a deferred call may take the expectation back.
func (g *callGraph) defersTouch(e expectation) bool {
	found := false
	for c := range flow.Calls(e.call.Parent()) {
		if _, ok := c.(*ssa.Defer); ok && g.touches(c, e.store, map[*ssa.Function]bool{}) {
			found = true
		}
	}
	return found
}

// callersTouch reports whether a function that calls fn may take the expectation back afterwards.
func (g *callGraph) callersTouch(e expectation, fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	if fn.Parent() != nil { // a function literal: whoever runs it sees its error
		return g.laterTouch(flow.ClosureSite(fn), e) || g.callersTouch(e, fn.Parent(), seen)
	}
	return slices.ContainsFunc(g.calls(fn), func(call *ssa.Call) bool {
		return g.laterTouch(call, e) || g.callersTouch(e, call.Parent(), seen)
	})
}

// laterTouch reports whether an instruction that comes after in takes something back from the store.
func (g *callGraph) laterTouch(in ssa.Instruction, e expectation) bool {
	if mc, ok := in.(*ssa.MakeClosure); in == nil || ok && mc == nil {
		return true
	}
	return flow.Any(flow.Calls(in.Parent()), func(c ssa.CallInstruction) bool {
		return c != in && flow.ReachesForward(in, c, nil) && g.takesBack(c, e.store)
	})
}

// takesBack reports whether c, or a function of the package that it runs, observes or drops an expectation of s.
func (g *callGraph) takesBack(c ssa.CallInstruction, s store) bool {
	return g.anyCall(c, func(c *ssa.CallCommon) flow.Truth {
		recv, r := storeCall(c)
		if recv == nil {
			return flow.Unknown
		}
		return flow.TruthOf((r == observes || r == drops) && s.mayBe(recv))
	})
}

func (g *callGraph) reportNotLowered(e expectation, failed *ssa.Call, ret *ssa.Return) {
	set := rule.Line(g.pass, e.call.Pos())
	related := []analysis.RelatedInformation{{Pos: e.call.Pos(), Message: fmt.Sprintf("%s of %s sets the expectation here", e.fn.Name(), e.store.path)}}
	happened := map[string]string{"create": "nothing was created", "delete": "nothing was deleted", "update": "nothing was updated", "": "the request was not made"}[e.verb]
	if failed != nil {
		name := flow.Callee(&failed.Call).Name()
		happened = fmt.Sprintf("%s failed (line %d)", name, rule.Line(g.pass, failed.Pos()))
		related = append(related, analysis.RelatedInformation{Pos: failed.Pos(), Message: name + " fails here"})
	}
	message := fmt.Sprintf("%s keeps the expectation set at line %d, but %s: later reconciles of the key wait for it; lower it before this return",
		e.store.path, set, happened)
	pos := ret.Pos()
	f := rule.Finding{Pos: pos, Sub: "notlowered", Site: "unlowered-expectation", Message: message, Related: related}
	if node := rule.Innermost[*ast.ReturnStmt](g.pass, pos); node != nil && node.Pos() == pos {
		f.End = node.End()
	}
	rule.Report(g.pass, f)
}
