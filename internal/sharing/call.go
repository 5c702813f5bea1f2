package sharing

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// call follows it.v through in, a call that has it as an argument.
func (t *tracer) call(in ssa.CallInstruction, it item, here *step) {
	common := in.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		t.builtin(b.Name(), in, it, here)
		return
	}
	args := flow.AllArgs(common)
	if slices.ContainsFunc(args, hasOptions) {
		return
	}
	for i, arg := range args {
		if arg != it.v {
			continue
		}
		if i == 0 && it.sh.at && t.isUnknown(in) {
			t.method(common.Method.Name(), in, it.sh, here)
		}
		if sums := t.summaries(in); sums != nil {
			for _, s := range sums {
				t.apply(s.of(it.v), in, i, it.sh, here)
			}
			continue
		}
		t.library(in, i, it, here)
	}
}

// hasOptions reports whether v is a row of functions that this function has made for the one that it calls: what that
// does may hang on them.
func hasOptions(v ssa.Value) bool {
	s, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if _, ok := s.Elem().Underlying().(*types.Signature); !ok {
		return false
	}
	switch v.(type) {
	case *ssa.Const, *ssa.Parameter: // none, or those of the caller, of whom the same is asked
		return false
	}
	return true
}

// of returns what s says where v is an argument: without what is so of other objects only.
func (s *Shares) of(v ssa.Value) *Shares {
	if kubeapi.MayBeUnstructured(flow.Unwrap(v).Type()) {
		return s
	}
	return &Shares{
		Writes: slices.DeleteFunc(slices.Clone(s.Writes), func(w Write) bool { return w.Content }),
		Gives:  slices.DeleteFunc(slices.Clone(s.Gives), func(g Give) bool { return g.Content && g.Param >= 0 }),
		Calls:  s.Calls,
	}
}

// builtin follows it through a call of the builtin function with that name.
func (t *tracer) builtin(name string, in ssa.CallInstruction, it item, here *step) {
	args, sh := in.Common().Args, it.sh
	first := len(args) > 0 && args[0] == it.v
	switch name {
	case "delete", "clear", "copy":
		if first && sh.at {
			t.effect(Effect{Deed: Written, In: in, sh: sh, steps: here, What: partOf(Entry, it.v)})
		}
	case "append":
		if s := here.shortened(); s != nil && first && sh.at {
			t.effect(Effect{Deed: Written, In: in, sh: sh, steps: here, What: partOf(Elements, s.X)})
		}
		if call, ok := in.(*ssa.Call); ok {
			t.add(call, sh.elements(call), here)
		}
	}
}

// shortened returns the slice expression that the value of s is, or appends to: append overwrites the elements of the
// original slice after it, since s[:i] keeps the capacity. It is nil for other values.
func (s *step) shortened() *ssa.Slice {
	for ; s != nil; s = s.before {
		switch x := s.v.(type) {
		case *ssa.Phi:
			continue
		case *ssa.Slice:
			if x.High != nil && x.Max == nil {
				return x
			}
		}
		return nil
	}
	return nil
}

// elements is sh of a new slice or map with the elements of one that is sh.
func (s share) elements(v ssa.Value) share {
	if !s.at {
		return s
	}
	s = s.part("[]")
	s.at, s.within, s.ref = false, "[]", false
	if elem := elemOf(v.Type()); elem != nil && refers(elem) {
		s.ref, s.deep = true, true
	}
	return s
}

// apply follows argument i of in, which is sh, through a callee with the summary s.
func (t *tracer) apply(s *Shares, in ssa.CallInstruction, i int, sh share, here *step) {
	for _, w := range s.Writes {
		if w.Param == i && (sh.reachedBy(w.Deep, w.Path) || w.Set && sh.isContent()) {
			when, happens := w.When.Bind(flow.Decl(in.Parent()), flow.AllArgs(in.Common()))
			if happens == flow.False {
				continue
			}
			t.effect(Effect{
				Deed: Given, In: in, sh: sh.along(w), steps: here, What: w.What, Callee: calleeName(in), Where: w.At, At: w.pos, Own: w.own, setter: w.Set, when: when,
				Arg: flow.AllArgs(in.Common())[i], Sorts: w.Sorts,
			})
		}
	}
	for _, c := range s.Calls {
		switch {
		case c.Param != i:
		case sh.at && c.Path == "", !sh.at && sh.ref && c.Path == sh.within:
			t.method(c.Method, in, sh, here)
		case !sh.at && !sh.ref && sh.within == "" && c.Path != "": // of a struct as it is
			t.method(c.Method, in, sh.along(Write{Path: c.Path, Deep: true}), here)
		}
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return
	}
	for _, g := range s.Gives {
		if g.Param != i {
			continue
		}
		if _, gives := g.When.Bind(flow.Decl(in.Parent()), flow.AllArgs(in.Common())); gives == flow.False {
			continue
		}
		switch {
		case sh.at:
			out := g.share()
			out.deep, out.object, out.content, out.via = sh.deep || g.Deep, sh.object, sh.content || g.Content, max(sh.via, out.via)
			out.path = sh.path
			if !sh.deep {
				out.path += g.Path
			}
			t.result(call, g.Result, out, here)
		case !g.Deep && g.Path == "" && (g.At || !g.Ref && g.Within == ""): // what it was given, as it was
			t.result(call, g.Result, sh, here)
		case g.Deep && sh.reachedBy(true, g.Path):
			out := g.share()
			out.deep, out.object, out.path, out.content, out.via = true, sh.object, sh.path, sh.content || g.Content, max(sh.via, out.via)
			t.result(call, g.Result, out, here)
		}
	}
}

// isUnknown reports whether in calls a method of an object whose type is not known here.
func (t *tracer) isUnknown(in ssa.CallInstruction) bool {
	common := in.Common()
	if !common.IsInvoke() || !kubeapi.IsObject(common.Value.Type()) {
		return false
	}
	_, all := t.p.Callees(in)
	return !all && kubeapi.GetterOf(common.Method) == "" && !kubeapi.IsSetter(common.Method) && !kubeapi.IsDeepCopy(common.Method)
}

// method follows a value that is sh, converted to an interface, through the method of that name, which is called at
// the end of in.
func (t *tracer) method(name string, in ssa.CallInstruction, sh share, here *step) {
	typ := here.dynamicType()
	if typ == nil {
		// The parameter itself, or what a struct that it is has.
		if !sh.deep && sh.path == "" || sh.deep && sh.within == "" && !refers(t.origin.Type()) {
			t.effect(Effect{Deed: called, In: in, sh: sh, steps: here, method: name})
		}
		return
	}
	sel := types.NewMethodSet(typ).Lookup(nil, name)
	if sel == nil {
		return // not exported
	}
	m := sel.Obj().(*types.Func).Origin()
	s := t.fact(m)
	if fn := t.p.Own(t.p.Prog.FuncValue(m)); fn != nil {
		s = t.sums[fn]
	}
	if s == nil {
		return
	}
	for _, w := range s.Writes {
		if w.Param == 0 {
			t.effect(Effect{
				Deed: Given, In: in, sh: sh.along(w), steps: here, What: w.What, Callee: calleeName(in), Where: w.At, At: w.pos, Own: w.own, setter: w.Set,
				Sorts: w.Sorts,
			})
		}
	}
}

// dynamicType returns the type that the value had when it was last converted to an interface, or its own if it is
// none; nil if it was converted elsewhere.
func (s *step) dynamicType() types.Type {
	for first := true; s != nil; s, first = s.before, false {
		if _, ok := s.in.(*ssa.MakeInterface); ok || first && !types.IsInterface(s.v.Type()) && refers(s.v.Type()) {
			return s.v.Type()
		}
	}
	return nil
}

// along is sh of what a callee writes to by w, that gets what is sh.
func (s share) along(w Write) share {
	if !s.deep && (s.at || !s.ref && s.within == "") {
		s.path, s.deep = s.path+w.Path, w.Deep
	}
	s.content = s.content || w.Content
	return s
}

// result adds result i of call.
func (t *tracer) result(call *ssa.Call, i int, sh share, here *step) {
	if call.Call.Signature().Results().Len() == 1 {
		t.add(call, sh, here)
		return
	}
	components(call, i, func(x ssa.Value) { t.add(x, sh, here) })
}

// reachedBy reports whether code that gets a value that is sh reaches the origin along path, and then over a
// reference if deep.
func (s share) reachedBy(deep bool, path string) bool {
	switch {
	case s.at:
		return true
	case !deep:
		return false
	case s.ref:
		return path == s.within
	}
	return strings.HasPrefix(path, s.within)
}

// library follows argument i of in through a function of a library.
func (t *tracer) library(in ssa.CallInstruction, i int, it item, here *step) {
	common, sh := in.Common(), it.sh
	fn := flow.Callee(common)
	if fn == nil {
		return
	}
	if w, ok := kubeapi.WritesTo(fn); ok && w.Arg == i && (sh.at || w.Deep && sh.reachedBy(true, "") || w.Setter && sh.isContent()) && !(kubeapi.SetsKind(fn) && !kubeapi.Unstructured.Is(flow.Unwrap(it.v).Type())) &&
		!(w.Setter && fillsNil(in, common.Args[len(common.Args)-1])) &&
		!(IsOrdering(fn) && restoresOrder(in, it.v)) {
		t.effect(Effect{Deed: Written, In: in, sh: sh, steps: here, What: Target{Of: w.What}, setter: w.Setter, Sorts: IsOrdering(fn)})
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "reflect" {
		if i == 0 {
			t.reflected(fn.Name(), call, sh, here)
		}
		return
	}
	if slices.Contains(clones, kubeapi.SymbolOf(fn)) {
		t.result(call, 0, sh.elements(flow.ResultAt(call, 0)), here)
		return
	}
	if a, ok := kubeapi.AliasOf(common, flow.Unwrap(it.v)); ok && a.Arg == i {
		if a.Within && !sh.reachedBy(true, sh.within) {
			return
		}
		if a.Within {
			sh = share{at: true, deep: true, path: sh.path, object: sh.object, content: sh.content || a.Content, via: InAlias}
		}
		t.result(call, 0, sh, here)
	}
}

// reflected follows a value that is sh through a function of reflect: the result leads where the value leads.
func (t *tracer) reflected(name string, call *ssa.Call, sh share, here *step) {
	const value = ".(reflect.Value)"
	switch {
	case name == "ValueOf":
		t.add(call, sh.inside(value, call.Call.Args[0]), here)
	case name == "Elem", name == "Indirect", name == "Index", name == "MapIndex", strings.HasPrefix(name, "Field"):
		t.add(call, sh, here)
	case name == "Interface":
		t.loaded(call, sh.part(value), here)
	case strings.HasPrefix(name, "Set") && sh.ref && sh.within == value:
		t.effect(Effect{Deed: Written, In: call, sh: sh, steps: here, What: Target{Of: fields}})
	}
}

// isContent reports whether it is an Unstructured of this function's, with the content of another one.
func (s share) isContent() bool { return !s.at && s.ref && s.within == ".Object" }

// clones are functions that make a slice or a map of their own, with the elements of the other one.
var clones = []kubeapi.Symbol{
	{Pkg: "slices", Name: "Clone"}, {Pkg: "maps", Name: "Clone"}, {Pkg: "golang.org/x/exp/slices", Name: "Clone"}, {Pkg: "golang.org/x/exp/maps", Name: "Clone"},
}

// calleeName names what the call calls.
func calleeName(in ssa.CallInstruction) string {
	if fn := flow.Callee(in.Common()); fn != nil {
		return fn.Name()
	}
	return "the function"
}
