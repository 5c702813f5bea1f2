package finalizerorder

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// Effects is what a function does to the finalizers of its parameters, for the packages that import it.
type Effects struct {
	Events   []Effect
	Tests    []Test
	Needs    []Need     // the objects that it looks up, and without which it fails
	Makes    []Made     // what it puts into the structs that it gives
	Balances bool       // the Service that it makes may be of the type LoadBalancer
	Lists    []string   // the custom kinds of which it leads to a list
	Replaces []Replaced // what is to be said where it is given an object of some kind
	List     int        // what it makes of a list of strings, a change; 0 for other functions

	// CleansUp is, for a method of an interface, one more than the index of a parameter (without the receiver), an object: a package that takes
	// finalizers off objects calls the method only for those that are being deleted. There are no other effects then.
	CleansUp int
}

// Effect is one event, in terms of the parameters (receiver first).
type Effect struct {
	Kind      int
	Param     int
	Sel       string
	Copy      int // one more than the result that is a copy of it, to which it happens; 0 where it happens to what is there
	Finalizer string
	Handed    int // one more than the parameter that is called so; 0 for other finalizers
	Only      bool
	When      paths.Condition // the values of a parameter for which it happens
}

// Need is an object of a kind, which is looked up by a name that is made of parameters.
type Need struct {
	Kind  string
	Names []Name
}

// Name is a part of a name: what is at Sel of a parameter, or of an object that the function has looked up, where Param is less than 0.
type Name struct {
	Param int
	Sel   string
}

// Made says that the field of the struct that is the result is what is at Sel of a parameter, wherever there is one.
type Made struct {
	Result int
	Field  string
	Param  int
	Sel    string
}

// Test says that the function checks whether what is at Sel of a parameter is being deleted, and what its results are
// if so, as [paths.Feasible.Results] gives them.
type Test struct {
	Param   int
	Sel     string
	Outcome []flow.Truth
}

// AFact marks Effects as a fact.
func (*Effects) AFact() {}

// kindNames and changeNames are for String.
var (
	kindNames = [...]string{
		clears: "clears", writes: "writes", strips: "strips", deletes: "deletes", reads: "reads", adds: "adds", removes: "removes",
		addsNow: "adds at once", removesNow: "removes at once", status: "writes the status of", creates: "creates",
	}
	changeNames = [...]string{unknown: "unknown", unchanged: "unchanged", grows: "grows", shrinks: "shrinks", empties: "empties"}
)

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (f *Effects) String() string {
	var parts []string
	if f.CleansUp > 0 {
		parts = append(parts, fmt.Sprintf("cleans up for p%d", f.CleansUp-1))
	}
	for _, e := range f.Events {
		parts = append(parts, e.String())
	}
	for _, t := range f.Tests {
		parts = append(parts, fmt.Sprintf("tests p%d%s: %v", t.Param, t.Sel, t.Outcome))
	}
	for _, n := range f.Needs {
		part := "fails without its " + n.Kind[strings.LastIndexByte(n.Kind, '.')+1:]
		for _, name := range n.Names {
			part += fmt.Sprintf(" p%d%s", name.Param, name.Sel)
		}
		parts = append(parts, part)
	}
	for _, m := range f.Makes {
		parts = append(parts, fmt.Sprintf("its result %d has p%d%s as %s", m.Result, m.Param, m.Sel, m.Field))
	}
	if f.Balances {
		parts = append(parts, "its Service may have a load balancer")
	}
	for _, kind := range f.Lists {
		parts = append(parts, "lists its "+kind[strings.LastIndexByte(kind, '.')+1:])
	}
	for _, r := range f.Replaces {
		parts = append(parts, fmt.Sprintf("replaces p%d at %s", r.Param, r.At))
	}
	if f.List != 0 {
		parts = append(parts, "the list "+changeNames[f.List])
	}
	return strings.Join(parts, "; ")
}

// String is one effect as the text of a fact has it.
func (e Effect) String() string {
	s := fmt.Sprintf("%s p%d%s", kindNames[e.Kind], e.Param, e.Sel)
	if e.Finalizer != "" {
		s += " " + e.Finalizer
	}
	if e.Only {
		s += " once it is being deleted"
	}
	if e.When != (paths.Condition{}) {
		s += " if " + e.When.String()
	}
	return s
}

// fact reads the effects of fn of another package, false where none are known.
func (a *analyzer) fact(fn *types.Func, f *Effects) bool {
	if fn.Pkg() == nil || fn.Pkg() == a.pass.Pkg {
		return false
	}
	known, ok := a.facts[fn]
	if !ok {
		known = new(Effects)
		if !a.pass.ImportObjectFact(fn, known) || known.CleansUp > 0 {
			known = nil
		}
		a.facts[fn] = known
	}
	if known == nil {
		return false
	}
	*f = *known
	return true
}

// export keeps what fn does for the packages that import this one.
func (a *analyzer) export(fn *ssa.Function) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() != a.pass.Pkg {
		return
	}
	var f Effects
	for _, e := range a.outward(fn) {
		p, ok := e.obj.path.Root.(*ssa.Parameter)
		if !ok || e.obj.via != "" || p.Parent() != fn {
			continue
		}
		eff := Effect{Kind: int(e.kind), Param: flow.ParamIndex(fn, p), Sel: e.obj.path.Sel, Finalizer: e.finalizer, Handed: handed(fn, e.finalizer), Only: e.only, When: e.when}
		dup := false
		for _, x := range f.Events {
			dup = dup || x == eff
		}
		if !dup {
			f.Events = append(f.Events, eff)
		}
	}
	// They are one call to who imports it: the order of the source says nothing there.
	slices.SortStableFunc(f.Events, func(x, y Effect) int {
		return cmp.Or(cmp.Compare(x.Param, y.Param), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Sel, y.Sel), cmp.Compare(x.Finalizer, y.Finalizer), cmp.Compare(x.String(), y.String()))
	})
	for i, p := range fn.Params {
		if a.isObject(p.Type()) {
			objs := []flow.Path{{Root: p}}
			if a.tests(fn, objs) {
				f.Tests = append(f.Tests, Test{i, "", a.outcomeOf(fn, objs)})
			}
		}
	}
	if r := fn.Signature.Results(); r.Len() > 0 && isStrings(r.At(0).Type()) {
		f.List = int(a.helperChange(fn))
	}
	for _, n := range a.failsWithout(fn) {
		if n.deletes || n.typ == nil || slices.ContainsFunc(f.Needs, func(x Need) bool { return x.Kind == link.TypeName(n.typ) }) {
			continue
		}
		need := Need{Kind: link.TypeName(n.typ)}
		if n.another {
			need.Names = append(need.Names, Name{-1, ""})
		}
		for _, p := range n.names {
			if param, ok := p.Root.(*ssa.Parameter); ok {
				need.Names = append(need.Names, Name{flow.ParamIndex(fn, param), p.Sel})
			} else if kubeapi.IsObject(p.Root.Type()) {
				need.Names = append(need.Names, Name{-1, ""})
			}
		}
		f.Needs = append(f.Needs, need)
	}
	f.Makes = a.makes(fn)
	f.Replaces = a.left[fn]
	f.Lists = a.listedKinds()[fn]
	f.Balances = resultIsService(fn.Signature) && a.givesBalanced(fn)
	if len(f.Events)+len(f.Tests)+len(f.Replaces)+len(f.Needs)+len(f.Makes)+len(f.Lists) > 0 || f.Balances || f.List != 0 {
		a.pass.ExportObjectFact(obj, &f)
	}
}
