package filter

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// constants reports comparisons in filters that have one result whatever changed, and old and new objects that were
// mixed up.
type constants struct {
	pass     *analysis.Pass
	ps       predicates
	handlers []*handler
	reported map[token.Pos]bool
}

func (c *constants) run() {
	updates := map[*ssa.Function]bool{}
	for _, h := range c.handlers {
		updates[h.update] = true
	}
	for _, fn := range c.ps.pkg.Funcs {
		if rule.Wanted(c.pass, fn.Pos()) {
			c.neverEqual(fn)
		}
		if !controllers.IsFilter(fn.Signature) && !updates[fn] || len(fn.Blocks) == 0 || !rule.Wanted(c.pass, fn.Pos()) {
			continue
		}
		c.tautologies(fn)
		// Of two objects, a function may also say that they are the same.
		if hasEvent(fn) || updates[fn] {
			c.wrongWay(fn)
			c.excluded(fn)
			c.ofDeleted(fn)
		}
	}
	for _, h := range c.handlers {
		if h.Informer {
			c.swappedParams(h.update)
		}
	}
	for _, file := range c.pass.Files {
		if !rule.Wanted(c.pass, file.Package) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				c.swappedVariables(a)
			}
			return true
		})
	}
}

func (c *constants) report(site rule.Site, pos token.Pos, format string, args ...any) {
	c.reportAs("constant", site, pos, fmt.Sprintf(format, args...))
}

// reportAs is report for a finding of the sub-rule sub.
func (c *constants) reportAs(sub string, site rule.Site, pos token.Pos, message string) {
	if c.reported[pos] {
		return
	}
	c.reported[pos] = true
	rule.Report(c.pass, rule.Finding{Pos: pos, Sub: sub, Site: site, Message: message})
}

// pairInputs are the parameters of fn as inputs gives them, or the pair that isFilter recognised.
func pairInputs(fn *ssa.Function) []value {
	values := inputs(fn)
	known := 0
	for _, v := range values {
		if v.kind != unknownValue {
			known++
		}
	}
	if known == 2 || known == 1 && hasEvent(fn) {
		return byName(fn, values)
	}
	values = make([]value, len(fn.Params))
	for i := 1; i < len(fn.Params); i++ {
		a, b := fn.Params[i-1], fn.Params[i]
		if !types.Identical(a.Type(), b.Type()) {
			continue
		}
		switch {
		case says(a.Name()) == saysOld || says(b.Name()) == saysNew:
			values[i-1], values[i] = value{kind: placeValue, side: older}, value{kind: placeValue, side: newer}
			return values
		case says(b.Name()) == saysOld:
			values[i-1], values[i] = value{kind: placeValue, side: newer}, value{kind: placeValue, side: older}
			return values
		}
	}
	return values
}

// byName is values with the sides of two objects exchanged where the parameters of fn are named the other way round: of a function that
// no informer calls, the name decides. (Of a handler, swappedParams says so.)
func byName(fn *ssa.Function, values []value) []value {
	for i := 1; i < len(values) && i < len(fn.Params); i++ {
		a, b := &values[i-1], &values[i]
		if a.kind == placeValue && b.kind == placeValue && a.side == older && b.side == newer && says(fn.Params[i-1].Name()) == saysNew && says(fn.Params[i].Name()) == saysOld {
			values = slices.Clone(values)
			values[i-1].side, values[i].side = newer, older
		}
	}
	return values
}

func hasEvent(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if kube.IsEvent(p.Type(), "") {
			return true
		}
	}
	return false
}

// tautologies reports the comparisons of fn that compare one version with itself, and the calls that hand the versions
// over in the wrong order.
func (c *constants) tautologies(fn *ssa.Function) {
	for pos, v := range selfComparisons(c.ps, fn, c.swappedArguments) {
		which := "new"
		if hasOld, _ := v.sides(); hasOld {
			which = "old"
		}
		c.report("self-comparison", pos, "%s compares the %s object's %s with itself, so that the comparison says nothing", filterName(fn), which, describe(v))
	}
}

// selfComparisons are what fn compares of one version with itself, by the places where it does; called, if it is set, is told of its calls.
func selfComparisons(ps predicates, fn *ssa.Function, called func(call *ssa.Call, args []value)) map[token.Pos]value {
	same, other := map[token.Pos]value{}, map[token.Pos]bool{}
	ev := newEvaluation(ps, fn, anyChange(true))
	ev.compared = func(pos token.Pos, a, b value) {
		if hasOld, hasNew := a.sides(); (hasOld || hasNew) && identical(a, b) {
			same[pos] = a
		} else {
			other[pos] = true
		}
	}
	if ev.called = called; called == nil {
		ev.called = func(*ssa.Call, []value) {} // of those that compare, ev.compared is told
	}
	if _, ok := ev.run(fn, pairInputs(fn), nil); !ok {
		return nil
	}
	maps.DeleteFunc(same, func(pos token.Pos, _ value) bool { return other[pos] || !pos.IsValid() })
	return same
}

// wrongWay reports a filter that lets through what is no update, the periodic resync, in which both versions are equal, and
// drops every update, or every change of the spec.
func (c *constants) wrongWay(fn *ssa.Function) {
	results := fn.Signature.Results()
	if results.Len() > 1 || results.Len() == 1 && !flow.IsBool(results.At(0).Type()) {
		return
	}
	in := pairInputs(fn)
	drops := func(ch change) bool { return judge(c.ps, fn, in, ch).drops() }
	// Whoever asks for the status alone compares the generation.
	still := specChange()
	still.bumped = false
	what := ""
	switch {
	case drops(anyChange(true)) && drops(anyChange(false)):
		what = "drops every update, and acts only on the periodic resync, in which both versions are equal"
	case drops(specChange()) && drops(still):
		what = "acts when nothing changed, and drops every update that changes the spec"
	}
	if what != "" && judge(c.ps, fn, in, change{what: "resync", resync: true, deletion: no}).passes() {
		c.report("inverted-filter", fn.Pos(), "%s %s: the test is the wrong way round", filterName(fn), what)
	}
}

// excluded reports a filter that compares both versions, and comes to that, or heeds it, only where the owners or the finalizers of the object
// change: two of its tests exclude each other for all that keeps these.
func (c *constants) excluded(fn *ssa.Function) {
	in := pairInputs(fn)
	if judge(c.ps, fn, in, anyChange(true)).drops() {
		return // all of it is dropped, which is wanted
	}
	for _, bumped := range []bool{true, false} {
		for _, ch := range singles(bumped) {
			if ch.what != "owners" && ch.what != "finalizers" && !judge(c.ps, fn, in, ch).drops() {
				return
			}
		}
	}
	if at := c.compares(fn, in, anyChange(true)); at.IsValid() {
		c.report("exclusive-tests", fn.Pos(), "%s drops every update that leaves the owners and finalizers alone, although it compares both versions at line %d: two of its tests exclude each other",
			filterName(fn), rule.Line(c.pass, at))
	}
}

// ofDeleted reports a filter that compares both versions of those objects alone that are being deleted, and drops their deletion: "it is not being
// deleted" is an alternative to tests for changes, so that they are never asked.
func (c *constants) ofDeleted(fn *ssa.Function) {
	in := pairInputs(fn)
	ch, live := deletionChange(true), anyChange(true)
	more := live // a deletion together with other changes
	more.deletes, live.deletion = true, no
	if !judge(c.ps, fn, in, ch).drops() || judge(c.ps, fn, in, more).drops() {
		return
	}
	if at := c.compares(fn, in, ch); at.IsValid() && !c.compares(fn, in, live).IsValid() {
		c.report("live-only-comparison", at, "%s compares both versions only where the object is being deleted: of all others it is enough that they live, so that their changes are never asked for, and the update that sets the deletion timestamp is dropped",
			filterName(fn))
	}
}

// compares is where fn compares something of both versions, but metadata, on its ways with the change; the first place in the source, NoPos for none.
func (c *constants) compares(fn *ssa.Function, in []value, ch change) (at token.Pos) {
	note := func(pos token.Pos, a, b value) {
		if a.kind == placeValue && b.kind == placeValue && a.side != b.side && a.path == b.path && !within(a.path, "metadata") && (!at.IsValid() || pos < at) {
			at = pos
		}
	}
	ev := newEvaluation(c.ps, fn, ch)
	ev.compared = note
	ev.called = func(call *ssa.Call, args []value) {
		for i := 1; i < len(args); i++ {
			note(call.Pos(), args[i-1], args[i])
		}
	}
	ev.run(fn, in, nil)
	return at
}

// describe names what v is made from.
func describe(v value) string {
	if v.kind == derivedValue && len(v.args) > 0 {
		return describe(v.args[0])
	}
	if v.path == "" {
		return "content"
	}
	return strings.TrimPrefix(v.path, "metadata.")
}

// swappedArguments reports a call of a function in sight whose parameters are named old and new, and get the new and the old object, where it tells
// them apart.
func (c *constants) swappedArguments(call *ssa.Call, args []value) {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || len(callee.Blocks) == 0 {
		return
	}
	sig := callee.Signature
	offset := len(args) - sig.Params().Len()
	if offset < 0 || sig.Variadic() {
		return
	}
	for i := 1; i < sig.Params().Len(); i++ {
		a, b := args[offset+i-1], args[offset+i]
		if a.kind != placeValue || b.kind != placeValue || a.path != b.path || a.side != newer || b.side != older {
			continue
		}
		first, second := sig.Params().At(i-1).Name(), sig.Params().At(i).Name()
		if says(first) == saysOld && says(second) == saysNew && c.tellsApart(callee, args, offset+i) {
			c.reportAs("swapped", "swapped-arguments", call.Pos(), fmt.Sprintf("%s is given the new object as %s and the old one as %s: they are the wrong way round", callee.Name(), first, second))
		}
	}
}

// tellsApart reports whether fn may give another answer where its arguments at i and before it change places.
func (c *constants) tellsApart(fn *ssa.Function, args []value, i int) bool {
	answer := func(args []value) string {
		out, ok := newEvaluation(c.ps, fn, anyChange(true)).run(fn, args, nil)
		if !ok || out.effect != no || out.result.kind == unknownValue || out.result.kind == boolValue && out.result.truth == maybe {
			return ""
		}
		return out.result.unordered().key()
	}
	swapped := slices.Clone(args)
	swapped[i-1], swapped[i] = args[i], args[i-1]
	this := answer(args)
	return this == "" || this != answer(swapped)
}

// swappedParams reports the update function of an informer's handler whose first parameter, the old object, is named
// as the new one, and the other way round, where it does something with one of them that it does not do with the other one.
func (c *constants) swappedParams(fn *ssa.Function) {
	n := len(fn.Params)
	if n < 2 || !rule.Wanted(c.pass, fn.Pos()) {
		return
	}
	a, b := fn.Params[n-2], fn.Params[n-1]
	if says(a.Name()) == saysNew && says(b.Name()) == saysOld && tellsVersions(c.ps.pkg, a, b) {
		c.reportAs("swapped", "swapped-parameters", fn.Pos(), fmt.Sprintf("%s has its parameters the wrong way round: the informer hands over the old object first, which is named %s here", filterName(fn), a.Name()))
	}
}

// filterName names fn for a message.
func filterName(fn *ssa.Function) string {
	switch {
	case fn.Parent() == nil:
		return flow.FuncName(fn)
	case fn.Signature.Results().Len() == 0:
		return "this handler"
	}
	return "this filter"
}

type age uint8

const (
	saysNothing age = iota
	saysOld
	saysNew
)

// says tells whether a name is that of an old or of a new object: one of its words says so.
func says(name string) age {
	for _, w := range words.Of(name) {
		switch w {
		case "old":
			return saysOld
		case "new", "cur", "current":
			return saysNew
		}
	}
	return saysNothing
}

// swappedVariables reports a variable named as the old object that is taken from the new one of an event.
func (c *constants) swappedVariables(a *ast.AssignStmt) {
	if a.Tok != token.DEFINE {
		return
	}
	for i, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		rhs := a.Rhs[0]
		if len(a.Lhs) == len(a.Rhs) {
			rhs = a.Rhs[i]
		} else if len(a.Rhs) != 1 {
			continue
		}
		named := says(id.Name)
		if named == saysNothing {
			continue
		}
		hasOld, hasNew, copied := c.versions(rhs)
		from := ""
		switch {
		case copied:
		case named == saysOld && hasNew && !hasOld:
			from = "ObjectNew"
		case named == saysNew && hasOld && !hasNew && slices.Contains(words.Of(id.Name), "new"): // the current one may be the old one
			from = "ObjectOld"
		}
		if from != "" {
			c.report("swapped-variables", id.Pos(), "%s is taken from %s of the event: old and new are the wrong way round", id.Name, from)
			return
		}
	}
}

// versions are the objects of an update event that e mentions, and whether it copies them, perhaps to make a new
// version from the old one.
func (c *constants) versions(e ast.Expr) (hasOld, hasNew, copied bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if strings.HasPrefix(sel.Sel.Name, "DeepCopy") {
			copied = true
		}
		t := c.pass.TypesInfo.TypeOf(sel.X)
		if t == nil || !kube.IsEvent(t, "Update") {
			return true
		}
		switch sel.Sel.Name {
		case "ObjectOld", "MetaOld":
			hasOld = true
		case "ObjectNew", "MetaNew":
			hasNew = true
		}
		return true
	})
	return hasOld, hasNew, copied
}

// conjunctions reports predicates of a watch that no ordinary update can satisfy together.
func (d *dropped) conjunctions(c *controller) {
	for _, w := range c.watches {
		all := w.pred.conjuncts()
		if len(all) < 2 {
			continue
		}
		var names []string
		never := true
		for _, ch := range singles(true) {
			ch.kind = w.Kind
			if !w.pred.judge(ch).drops() {
				never = false
			}
		}
		for _, q := range all {
			some := false
			for _, ch := range singles(true) {
				ch.kind = w.Kind
				if !q.judge(ch).drops() {
					some = true
				} else if q.Name != "" && !slices.Contains(names, q.Name) {
					names = append(names, q.Name)
				}
			}
			never = never && some
		}
		if !never || len(names) < 2 {
			continue
		}
		kind := "the kind"
		if w.Kind != nil {
			kind = kindOf(w.Kind)
		}
		d.report(rule.Finding{Pos: all[0].Pos, Sub: "constant", Site: "exclusive-conjunction", Message: fmt.Sprintf(
			"%s are all asked: an update of %s passes only if it changes what each of them waits for at once; predicate.Or lets each through",
			strings.Join(names, " and "), kind),
			Related: []analysis.RelatedInformation{{Pos: w.Pos, Message: "the watch is set up here"}}})
	}
}
