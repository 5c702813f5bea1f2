package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// otherKind reports functions of handlers that do nothing about any object that they are given: the informer or the watch gives those of one
// kind, and the function takes others alone.
func (d *dropped) otherKind(watching []*controller, all []*controllers.Handler) {
	for _, h := range all {
		for _, p := range []controllers.Part{h.Created, h.Updated, h.Deleted, h.Filter} {
			if h.Informer {
				d.takesValues(p.Fn())
			}
		}
	}
	transformed := slices.ContainsFunc(d.ps.pkg.All(), setsTransform)
	for _, fn := range d.ps.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			kind, handler := controllers.Registered(call.Common())
			if kind == nil || transformed {
				return
			}
			for h := d.structs[controllers.StructOf(handler)]; h != nil; h = h.Behind {
				for _, p := range []controllers.Part{h.Created, h.Updated, h.Deleted, h.Filter} {
					d.takesOther(p.Fn(), objectsOf(kind), p.At, "informer")
					d.idle(p.Fn(), kind, p.At)
				}
			}
		})
	}
	for _, c := range watching {
		for _, w := range c.watches {
			if w.Kind != nil {
				d.takesOther(d.mapping(w), w.objects(), w.Pos, "watch")
			}
		}
	}
}

// setsTransform reports whether fn has informers make something else of their objects.
func setsTransform(fn *ssa.Function) (sets bool) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		callee := flow.Callee(call.Common())
		sets = sets || callee != nil && (callee.Name() == "SetTransform" || callee.Name() == "WithTransform")
	})
	return sets
}

// mapping is the function that maps the objects of w to requests, nil where there is none, or it is not known.
func (d *dropped) mapping(w *watch) *ssa.Function {
	if w.Handler == nil {
		return nil
	}
	if made, ok := flow.Resolve(w.Handler).(*ssa.Call); ok && (kube.Symbol{Pkg: kube.Handler, Name: "EnqueueRequestsFromMapFunc"}).Is(flow.Callee(&made.Call)) {
		return controllers.Function(d.ps.pkg, made.Call.Args[0])
	}
	return nil
}

// objects are what a source gives.
type objects struct {
	name string
	are  func(types.Type) bool // whether they are of that type
}

// objectsOf are those of kind.
func objectsOf(kind types.Type) objects {
	return objects{kindOf(kind), func(t types.Type) bool { return sameType(t, kind) }}
}

// objects are what w, whose kind is known, gives.
func (w *watch) objects() objects {
	if w.Metadata {
		return objects{kindOf(w.Kind) + " as a *v1.PartialObjectMetadata", isPartial}
	}
	return objectsOf(w.Kind)
}

// isPartial reports whether t is the type of objects of which there is the metadata alone.
func isPartial(t types.Type) bool { return kube.IsType(t, kube.MetaV1, "PartialObjectMetadata") }

// takesOther reports fn, which source gives such objects since what is at pos, where it does something about other kinds alone.
func (d *dropped) takesOther(fn *ssa.Function, of objects, pos token.Pos, source string) {
	if fn == nil || !rule.Wanted(d.pass, pos) || len(fn.Blocks) == 0 {
		return
	}
	var others []string
	var first *ssa.TypeAssert
	given := map[*ssa.TypeAssert]flow.Truth{}
	for in := range flow.Instrs(fn) {
		a, ok := in.(*ssa.TypeAssert)
		if !ok || !isGiven(a.X) {
			continue
		}
		if _, open := flow.Pointee(a.AssertedType).(*types.TypeParam); open {
			return // whatever its callers make it
		}
		switch {
		case types.IsInterface(a.AssertedType):
			continue // perhaps one that any object has
		case of.are(a.AssertedType):
			return
		case !a.CommaOk:
			if !kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown") {
				d.panicsAt(a, of, source)
			}
			return
		case !kube.IsType(a.AssertedType, kube.Cache, "DeletedFinalStateUnknown"):
			if name := kindOf(a.AssertedType); !slices.Contains(others, name) {
				others = append(others, name)
			}
			if first == nil {
				first = a
			}
		}
		given[a] = flow.No
	}
	if first == nil || !acts(fn, nil) {
		return
	}
	if acts(fn, withoutMatch(fn, given)) {
		return
	}
	name := flow.FuncName(fn)
	if fn.Parent() != nil {
		name = "this function"
	}
	d.report(rule.Finding{Pos: pos, Sub: "constant", Site: "foreign-kind", Message: fmt.Sprintf(
		"%s does nothing about any object of this %s, which gives %s: it takes %s alone", name, source, of.name, strings.Join(others, " and ")),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(first), Message: "no object that it is given has this type"}}})
}

// panicsAt reports the assertion a of an object that source gives, which panics with each object, where there is no way around it.
func (d *dropped) panicsAt(a *ssa.TypeAssert, of objects, source string) {
	if !kube.IsObject(a.AssertedType) || isPartial(a.AssertedType) || isPartial(flow.Pointee(a.AssertedType)) {
		return // a transform may make it of the object
	}
	for ret := range flow.Returns(a.Parent()) {
		if !a.Block().Dominates(ret.Block()) {
			return
		}
	}
	d.report(rule.Finding{Pos: flow.Pos(a), Sub: "constant", Site: "panicking-assertion", Message: fmt.Sprintf(
		"this panics with the first object of the %s, which gives %s and no %s", source, of.name, kindOf(a.AssertedType))})
}

// takesValues reports fn, of a handler of an informer, where it does nothing about any object, as it takes structs alone and objects come as pointers.
func (d *dropped) takesValues(fn *ssa.Function) {
	if fn == nil || !rule.Wanted(d.pass, fn.Pos()) {
		return
	}
	a := controllers.TakesValues(fn)
	if a == nil || !acts(fn, nil) || acts(fn, withoutMatch(fn, map[*ssa.TypeAssert]flow.Truth{a: flow.No})) {
		return
	}
	name := flow.FuncName(fn)
	if fn.Parent() != nil {
		name = "this function"
	}
	d.report(rule.Finding{Pos: flow.Pos(a), Sub: "constant", Site: "value-assertion", Message: fmt.Sprintf(
		"%s does nothing about any object: it takes %s alone, and an informer gives *%[2]s", name, kindOf(a.AssertedType))})
}

// withoutMatch is fn where the assertions have the results that are given.
func withoutMatch(fn *ssa.Function, given map[*ssa.TypeAssert]flow.Truth) *ways.View {
	return ways.See(fn, func(v ssa.Value) flow.Truth {
		if x, ok := v.(*ssa.Extract); ok && x.Index == 1 {
			if a, ok := x.Tuple.(*ssa.TypeAssert); ok {
				return given[a]
			}
		}
		return flow.Either
	}, nil)
}

// idle reports fn, a function of a handler that is given objects of kind since what is at pos, where it would do something and leaves before that
// with every object.
func (d *dropped) idle(fn *ssa.Function, kind types.Type, pos token.Pos) {
	if fn == nil || fn.Signature.Results().Len() > 0 || !rule.Wanted(d.pass, pos) || len(fn.Blocks) == 0 || !acts(fn, nil) {
		return
	}
	for _, bumped := range []bool{true, false} {
		ch := anyChange(bumped).of(kind)
		ch.another = true
		if !d.ps.judge(fn, ch).drops() {
			return
		}
	}
	if len(selfComparisons(d.ps, fn, nil)) > 0 {
		return // which is told there
	}
	name := flow.FuncName(fn)
	if fn.Parent() != nil {
		name = "this function"
	}
	d.report(rule.Finding{Pos: pos, Sub: "constant", Site: "idle-handler", Message: fmt.Sprintf(
		"%s does nothing about any %s that the informer gives it: with each it leaves before it comes to what it does; a test is the wrong way round", name, kindOf(kind))})
}

// isGiven reports whether v is an object that its function was given as an interface, or the one of its event.
func isGiven(v ssa.Value) bool {
	p := flow.PathOf(flow.Resolve(v))
	param, ok := p.Root.(*ssa.Parameter)
	return ok && (p.Sel == "" && mayBeObject(param.Type()) || kube.IsEvent(param.Type(), "") && slices.Contains([]string{".Object", ".ObjectOld", ".ObjectNew"}, p.Sel))
}

// acts reports whether fn may do anything that others see, or return what is not empty; only on the ways of view, where there is one.
func acts(fn *ssa.Function, view *ways.View) bool {
	for _, b := range fn.Blocks {
		if view != nil && !view.Live(b) {
			continue
		}
		for _, in := range b.Instrs {
			if actsAt(in, view) {
				return true
			}
		}
	}
	return false
}

func actsAt(in ssa.Instruction, view *ways.View) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Panic:
		return true
	case *ssa.Store:
		_, variable := flow.Base(in.Addr).(*ssa.Alloc)
		return !variable
	case *ssa.Call:
		callee := flow.Callee(&in.Call)
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			return !slices.Contains([]string{"len", "cap", "append"}, b.Name())
		}
		return callee == nil || !kube.Logs(callee) && !kube.GivesLogger(callee) && effectOf(callee) != no
	case ssa.CallInstruction: // go and defer
		return true
	case *ssa.Return:
		return slices.ContainsFunc(in.Results, func(v ssa.Value) bool {
			if flow.IsBool(v.Type()) {
				return view == nil && flow.TruthOf(v) != no || view != nil && view.Of(v) != no
			}
			return !flow.IsEmpty(v)
		})
	}
	return false
}
