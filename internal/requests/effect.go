// Package requests says what functions do with the objects of the cluster: which parts of them (metadata, status, all
// else) they write in memory, and which requests send or fill them, over functions and packages.
//
// An object is known by its access path in one function. The analysis is flow-insensitive in callees, whose effects are
// joined into a summary for each parameter, and flow-sensitive in the function at hand ([Requests.Since]). A pointer
// that goes to another variable, or to a function whose body is not known, makes the effect unknown: it may be any.
package requests

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// Analyzer summarises the functions of a package. Its result is a *Requests, nil for packages that have nothing to do
// with a cluster.
var Analyzer = &analysis.Analyzer{
	Name:       "ctrllintrequests",
	Doc:        "compute what functions write into objects and send of them",
	Run:        rule.Wrap("ctrllintrequests", (*Requests)(nil), run),
	Requires:   []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	ResultType: reflect.TypeFor[*Requests](),
	FactTypes:  []analysis.Fact{new(Effects)},
}

// Requests is what rules ask about one package.
type Requests struct {
	pass    *analysis.Pass
	pkg     *program.Program
	touches map[*ssa.Function][]touch
	effects program.Answers[param, Effect]
}

func run(pass *analysis.Pass) (any, error) {
	if !kubeapi.Imports(pass.Pkg, kubeapi.IsLibrary) {
		return (*Requests)(nil), nil
	}
	c := &Requests{pass: pass, pkg: program.Of(pass), touches: map[*ssa.Function][]touch{}}
	c.export()
	return c, nil
}

// Parts is a set of the parts of an object that different requests store: those that are written, and those that may
// be.
type Parts uint8

// The parts of an object.
const (
	Spec Parts = 1 << iota // all but the metadata and the status
	Metadata
	Status
	Whole = Spec | Metadata | Status
)

// maybe is p as parts that may be written.
func (p Parts) maybe() Parts { return p << 3 }

// Sure are the parts that are written.
func (p Parts) Sure() Parts { return p & Whole }

// Possible are the parts that are or may be written.
func (p Parts) Possible() Parts { return (p | p>>3) & Whole }

// Verbs is a set of requests.
type Verbs uint8

// The requests.
const (
	Reads Verbs = 1 << iota
	Creates
	Updates       // the object but for its status, by an update or a patch
	UpdatesStatus // nothing but the status
	Deletes
)

// An Effect is what a function does with what a parameter points to.
type Effect struct {
	Writes Parts
	Sends  Verbs
	// Fills: the answer of a request replaces the content.
	Fills bool
}

// Effects is the fact of a function whose effects are known, by parameter, receiver first.
type Effects struct{ Params []Effect }

// AFact marks Effects as a fact.
func (*Effects) AFact() {}

// String is for tests.
func (e *Effects) String() string { return fmt.Sprint(e.Params) }

// unknown is the effect of a function that is not known.
var unknown = Effect{Writes: Whole.maybe()}

// join is the effect of either.
func (e Effect) join(o Effect) Effect {
	return Effect{e.Writes | o.Writes, e.Sends | o.Sends, e.Fills || o.Fills}
}

// partAt is the part of an object at the end of way.
func partAt(way string) Parts {
	switch first, _, _ := strings.Cut(strings.TrimPrefix(way, "."), "."); {
	case way == "":
		return Whole
	case first == kubeapi.Status || strings.HasPrefix(first, kubeapi.Status+"["):
		return Status
	case first == kubeapi.ObjectMeta:
		return Metadata
	case first == kubeapi.TypeMeta.Name:
		return 0
	}
	return Spec
}

// within is e, the effect on what lies at the end of way in an object, as one on the object.
func (e Effect) within(way string) Effect {
	switch {
	case way == "":
		return e
	case e.Writes.Sure() != 0:
		return Effect{Writes: partAt(way)}
	case e.Writes != 0 || e.Fills:
		return Effect{Writes: partAt(way).maybe()}
	}
	return Effect{}
}

// Sent is the effect of r on the object that it sends or fills.
func Sent(call *ssa.CallCommon, r kubeapi.Request) Effect {
	e := Effect{Fills: call.Signature().Results().Len() == 1} // typed clients return another object
	switch {
	case r.Verb == kubeapi.VerbGet:
		e.Sends = Reads
	case r.Verb == kubeapi.VerbCreate:
		e.Sends = Creates
	case r.Verb == kubeapi.VerbDelete:
		return Effect{Sends: Deletes}
	case r.OfStatus(call):
		e.Sends = UpdatesStatus
	case !r.Status:
		e.Sends = Updates
	}
	return e
}

// effect is the effect of call on what its argument i, receiver first, points to.
func (c *Requests) effect(call *ssa.Call, i int) Effect {
	fn, arg := flow.Callee(&call.Call), flow.AllArgs(&call.Call)[i]
	if r, ok := kubeapi.RequestOf(&call.Call); ok {
		if r.Object == arg {
			return Sent(&call.Call, r)
		}
		if r.Verb == kubeapi.VerbList {
			return Effect{Sends: Reads, Fills: true}
		}
		return Effect{}
	}
	if name := flow.Builtin(&call.Call); name != "" {
		if i == 0 && (name == "delete" || name == "copy" || name == "clear") {
			return Effect{Writes: Whole}
		}
		return Effect{}
	}
	if kubeapi.CreateOrChange.Called(&call.Call) {
		if kubeapi.IsObject(arg.Type()) {
			return Effect{Sends: Creates | Updates, Fills: true}
		}
		return Effect{}
	}
	if fn == nil {
		return c.calleeEffect(call, i)
	}
	if w, ok := kubeapi.WritesTo(fn); ok {
		switch {
		case w.Arg != i:
			return Effect{}
		case kubeapi.IsMeta(w.What):
			return Effect{Writes: Metadata}
		}
		return Effect{Writes: Whole}
	}
	_, pure := kubeapi.OfPure(fn)
	if pure || kubeapi.Logs(fn) || kubeapi.OnlyInMemory(fn) || kubeapi.IsDeepCopy(fn) || kubeapi.GetterOf(fn) != "" ||
		kubeapi.SetsKind(fn) {
		return Effect{}
	}
	return c.calleeEffect(call, i)
}

// calleeEffect is the effect of functions whose bodies, or facts, are known. What is both written and sent is not known
// to be one after the other.
func (c *Requests) calleeEffect(call *ssa.Call, i int) Effect {
	var e Effect
	fns, all := c.pkg.Callees(call)
	for _, fn := range fns {
		e = e.join(c.paramEffect(fn, i))
	}
	if len(fns) == 0 || !all {
		var fact Effects
		fn := flow.Callee(&call.Call)
		if len(fns) > 0 || fn == nil || !c.pass.ImportObjectFact(fn.Origin(), &fact) || i >= len(fact.Params) {
			return unknown
		}
		e = fact.Params[i]
	}
	if e.Sends != 0 && e.Writes != 0 {
		e.Writes = e.Writes.Possible().maybe()
	}
	return e
}

// param is a parameter of a function.
type param struct {
	fn *ssa.Function
	i  int
}

// paramEffect is the effect of fn on what its parameter i points to; on cycles of calls it is not known.
func (c *Requests) paramEffect(fn *ssa.Function, i int) Effect {
	if len(fn.Blocks) == 0 || i >= len(fn.Params) {
		return unknown
	}
	return c.effects.Ask(param{fn, i}, unknown, func() (e Effect) {
		for _, o := range c.On(fn, flow.Path{Root: fn.Params[i]}) {
			e = e.join(o.Effect)
		}
		return e
	})
}

// export leaves the effects of the functions of the package, as far as they are known, to the packages that import it.
func (c *Requests) export() {
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return refers(p.Type()) }) {
			continue
		}
		known, fact := false, Effects{make([]Effect, len(fn.Params))}
		for i, p := range fn.Params {
			if refers(p.Type()) {
				fact.Params[i] = c.paramEffect(fn, i)
				known = known || fact.Params[i].Writes&unknown.Writes != unknown.Writes
			}
		}
		if known {
			c.pass.ExportObjectFact(obj, &fact)
		}
	}
}
