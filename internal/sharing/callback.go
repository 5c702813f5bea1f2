package sharing

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A function that one package puts into a place of another one, such as a parameter or a field, is called by that one with what it has.
// The package with the cache knows the places from which it takes the functions that it calls with an object; the one with the functions
// knows where it puts them, and has imported the other one for that. The methods of an interface are such places, too: who makes an
// interface of a type puts its methods there.

// Callbacks is the fact of a package: the places from which functions come that are called with what a cache keeps. It has those of the
// packages below.
type Callbacks struct {
	All   []Callback
	Alone []Callback // those of them that nobody else sees the argument of, see Read
}

// A Callback is an argument of the functions that come from a place.
type Callback struct {
	Place string // as all packages call it: see internal/origin; an interface's method by its full name
	Arg   int    // without a receiver
}

// AFact marks Callbacks as a fact.
func (*Callbacks) AFact() {}

func (c *Callbacks) String() string {
	var all []string
	for _, b := range c.All {
		all = append(all, b.String())
	}
	return "gives what a cache has to " + strings.Join(all, ", ")
}

func (c Callback) String() string { return fmt.Sprintf("a%d of %s", c.Arg, path.Base(c.Place)) }

func (c Callback) compare(o Callback) int {
	return cmp.Or(cmp.Compare(c.Place, o.Place), cmp.Compare(c.Arg, o.Arg))
}

// name is the place, for a message: "queue.New" for its parameter.
func (c Callback) name() string {
	name, _, _ := strings.Cut(path.Base(c.Place), "#")
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
}

// Given are the objects that functions of the package are called with by who has them from a cache, and those that fields have from one.
func (a *Sharing) Given() []Read { return a.given }

// callBack adds to the Given those of functions that other packages call, and leaves to those that import this one the places whose functions
// it calls with what a cache has.
func (a *Sharing) callBack() {
	known := map[Callback]bool{}
	seen := map[Callback]bool{} // those of what others see, too
	for _, i := range a.pass.Pkg.Imports() {
		var f Callbacks
		if a.pass.ImportPackageFact(i, &f) {
			for _, c := range f.All {
				known[c] = true
				seen[c] = seen[c] || !slices.Contains(f.Alone, c)
			}
		}
	}
	if len(known) > 0 {
		a.supplied(known, seen)
		a.implemented(known, seen)
	}
	own := map[Callback]bool{}
	passes := func(r Read) {
		a.trace(r.At.Parent(), r.Value, r.sh, func(e Effect) {
			if e.Deed != passed && e.Deed != stored || !a.remains(r.At, e) || !a.feasible(r, e) {
				return
			}
			switch {
			case e.Deed == passed:
				own[e.to] = true
				seen[e.to] = seen[e.to] || !r.Alone
			case !e.Mixed():
				a.covered[e.site()] = true
			}
		})
	}
	for _, fn := range a.p.All() {
		for _, r := range a.Reads(fn) {
			passes(r)
		}
	}
	for _, r := range a.given {
		passes(r)
	}
	if len(own) > 0 {
		a.dropMixed(own)
	}
	maps.Copy(known, own)
	if len(known) > 0 {
		all := slices.SortedFunc(maps.Keys(known), Callback.compare)
		alone := slices.DeleteFunc(slices.Clone(all), func(c Callback) bool { return seen[c] })
		a.pass.ExportPackageFact(&Callbacks{all, alone})
	}
}

// dropMixed takes out of own the places whose functions some call gives what this package has made: which of them is given what is not known.
func (a *Sharing) dropMixed(own map[Callback]bool) {
	for _, fn := range a.p.All() {
		flow.Calls(fn, func(in ssa.CallInstruction) {
			for i, arg := range flow.Args(in.Common()) {
				if _, constant := arg.(*ssa.Const); constant || a.passed[passing{in, i}] {
					continue
				}
				for _, place := range a.places(in) {
					delete(own, Callback{place, i})
				}
			}
		})
	}
}

// A passing is an argument, without the receiver, of a call of a function that comes from some place.
type passing struct {
	in  ssa.CallInstruction
	arg int
}

// places are those from which the functions come that in may run; none where that is one that it names.
func (a *Sharing) places(in ssa.CallInstruction) []string {
	common := in.Common()
	switch {
	case common.IsInvoke():
		if m := common.Method; m.Pkg() != nil && m.Exported() && rule.OfModule(a.pass, m.Pkg()) {
			return []string{m.Origin().FullName()}
		}
		return nil
	case flow.StaticCallee(common) != nil:
		return nil
	}
	return a.p.Origins().Names(common.Value)
}

// supplied finds the functions that this package puts into the places that are known, and the places of its own that lead there.
func (a *Sharing) supplied(known, seen map[Callback]bool) {
	for _, s := range a.p.Origins().Supplies() {
		for _, c := range slices.SortedFunc(maps.Keys(known), Callback.compare) {
			if c.Place != s.Name {
				continue
			}
			for _, from := range s.From {
				to := Callback{from, c.Arg}
				known[to] = true
				seen[to] = seen[to] || seen[c]
			}
			for _, f := range s.Funcs {
				a.givenTo(f, c, !seen[c])
			}
		}
	}
}

// implemented finds the methods of this package that are those of interfaces whose methods are known.
func (a *Sharing) implemented(known, seen map[Callback]bool) {
	for _, fn := range a.p.All() {
		for in := range flow.Instrs(fn) {
			made, ok := in.(*ssa.MakeInterface)
			if !ok {
				continue
			}
			for m := range made.Type().Underlying().(*types.Interface).Methods() {
				impl := controllers.Method(a.p, made.X.Type(), m.Name())
				if impl == nil {
					continue
				}
				for i := range m.Signature().Params().Len() {
					if c := (Callback{m.Origin().FullName(), i}); known[c] {
						a.givenTo(origin.Func{Fn: impl, Bound: true}, c, !seen[c])
					}
				}
			}
		}
	}
}

// givenTo notes that f is called with what a cache has as the argument of c, which is alone with it or is not.
func (a *Sharing) givenTo(f origin.Func, c Callback, alone bool) {
	i := c.Arg
	if f.Bound {
		i++
	}
	if a.p.Own(f.Fn) != f.Fn || i >= len(f.Fn.Params) {
		return
	}
	r := Argument(f.Fn.Params[i], c.name())
	r.How, r.Alone = Passed, alone
	if i := slices.IndexFunc(a.given, func(o Read) bool { return o.Value == r.Value }); i >= 0 {
		a.given[i].Alone = a.given[i].Alone && alone
	} else {
		a.given = append(a.given, r)
	}
}

// pass looks at a call of a function that comes from some place, with what is sh as its argument i, counted with the receiver of a method.
func (t *tracer) pass(in ssa.CallInstruction, i int, sh share, here *step) {
	if in.Common().IsInvoke() {
		i--
	}
	if i < 0 {
		return
	}
	for _, place := range t.places(in) {
		t.passed[passing{in, i}] = true
		t.effect(Effect{Deed: passed, In: in, sh: sh, steps: here, to: Callback{place, i}})
	}
}

// handedTo reports whether the function that e calls comes from elsewhere than from a parameter of fn, as what is passed does: what such a
// function does to what it is given, each of its calls tells for itself.
func (e Effect) handedTo(fn *ssa.Function) bool {
	p, ok := flow.Resolve(e.In.(ssa.CallInstruction).Common().Value).(*ssa.Parameter)
	return !ok || p.Parent() != fn
}
