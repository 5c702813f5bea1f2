package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// checkReplacement reports the updates of an object that was made anew and that takes the place of the stored one, without its finalizers: it is given the
// resource version of that, or is created where there is none.
func (a *analyzer) checkReplacement(fn *ssa.Function) {
	events := a.events(fn)
	told := map[ssa.Instruction]bool{}
	for in := range flow.Instrs(fn) {
		if x, y := versionCopy(in); x != nil {
			a.checkReplaced(in, x, y, events, told)
		}
	}
	for _, w := range events {
		call, ok := w.in.(*ssa.Call)
		if !ok || w.kind != writes || w.deferred || told[w.in] || !isUpdate(w) {
			continue
		}
		if r, _ := kubeapi.RequestOf(&call.Call); r.Object != nil {
			if stored := a.createdElse(w, events); stored.in != nil {
				a.checkReplaced(stored.in, flow.Resolve(r.Object), stored.obj.path.Root, events, told)
			}
		}
	}
}

// checkReplaced reports the update behind in of the object at x, which takes the place of the one at y.
func (a *analyzer) checkReplaced(in ssa.Instruction, x, y ssa.Value, events []event, told map[ssa.Instruction]bool) {
	n := kubeapi.Named(x.Type())
	if n == nil || n.Obj().Pkg() == nil || kubeapi.Named(y.Type()) != n {
		return
	}
	finalizer := kubeapi.Protected(n)
	if finalizer == "" {
		return
	}
	var far []*ssa.Parameter // which only other packages know
	if kubeapi.IsService(n) {
		var balanced bool
		if balanced, far = a.balanced(x); !balanced && far == nil {
			return // without a load balancer nobody puts that finalizer on it
		}
	}
	made, stored := objectOf(x), objectOf(y)
	if !made.known() || made.path == stored.path || made.key.Known() || keepsFinalizers(in.Parent(), made) {
		return
	}
	for _, w := range events {
		if w.kind == writes && !w.deferred && w.obj.path == made.path && isUpdate(w) && flow.Reaches(in, w.in, nil) {
			told[w.in] = true
			f := a.replacement(w, in, finalizer)
			if far == nil {
				rule.Report(a.pass, f)
			}
			for _, p := range far {
				a.leaveReplacement(p, f)
			}
			break
		}
	}
}

// createdElse is the read of the stored object that the update w replaces: the function creates the object of w where there is none, and no function is
// told of both but to compare them. The zero event where it is not so.
func (a *analyzer) createdElse(w event, events []event) event {
	created := slices.ContainsFunc(events, func(e event) bool { return e.kind == creates && e.obj.path == w.obj.path })
	if !created {
		return event{}
	}
	for _, r := range events {
		if r.kind != reads || r.obj.path == w.obj.path || r.obj.path.Sel != "" || r.obj.typ == nil || w.obj.typ == nil || !types.Identical(r.obj.typ, w.obj.typ) || !flow.Dominates(r.in, w.in) {
			continue
		}
		merged := false
		for c := range flow.Calls(w.in.Parent()) {
			has := func(p flow.Path) bool {
				return slices.ContainsFunc(flow.AllArgs(c.Common()), func(v ssa.Value) bool { return objectOf(flow.Unwrap(v)).path.Root == p.Root })
			}
			merged = merged || has(r.obj.path) && has(w.obj.path) && !answers(c.Common().Signature())
		}
		if !merged {
			return r
		}
	}
	return event{}
}

// balanced reports whether a Service of xs may be of the type LoadBalancer, as far as the package makes it: parameters are followed to its callers, and
// results to their functions. far are the parameters of functions without callers: other packages can say.
func (a *analyzer) balanced(xs ...ssa.Value) (balanced bool, far []*ssa.Parameter) {
	work := values.From(xs...)
	for x := range work.Resolved() {
		switch x := x.(type) {
		case *ssa.Alloc:
			if filled(x) || givesType(x.Parent()) {
				return true, nil
			}
			work.Add(services(x.Parent())...)
		case *ssa.Parameter:
			args := values.Arguments(a.pkg, x)
			work.Add(args...)
			switch {
			case len(args) > 0:
			case x.Parent().Parent() != nil:
				return true, nil // a literal, which others call
			default:
				far = append(far, x)
			}
		case *ssa.Call, *ssa.Extract:
			call, _ := flow.ResultOf(x)
			if call == nil {
				continue
			}
			var effects Effects
			if fn := flow.Callee(&call.Call); fn != nil && a.fact(fn, &effects) && effects.Balances {
				return true, nil
			}
			if maker := a.pkg.Callee(&call.Call); maker != nil {
				if givesType(maker) {
					return true, nil
				}
				work.Add(services(maker)...)
			}
		}
	}
	return false, far
}

// services are the Services that fn returns first, but for its parameters.
func services(fn *ssa.Function) (out []ssa.Value) {
	if !resultIsService(fn.Signature) {
		return nil
	}
	for ret := range flow.Returns(fn) {
		v, sure := flow.Returned(ret, 0)
		if _, given := flow.Resolve(v).(*ssa.Parameter); sure && !given {
			out = append(out, v)
		}
	}
	return out
}

// resultIsService reports whether a function of that signature gives a Service.
func resultIsService(sig *types.Signature) bool {
	return sig.Results().Len() > 0 && kubeapi.IsService(sig.Results().At(0).Type())
}

// givesBalanced reports whether the Service that fn gives may be of the type LoadBalancer, as far as the package makes it.
func (a *analyzer) givesBalanced(fn *ssa.Function) bool {
	balanced, _ := a.balanced(services(fn)...)
	return balanced || givesType(fn)
}

// givesType reports whether fn gives a Service the type LoadBalancer, or one that is no constant.
func givesType(fn *ssa.Function) bool {
	for st, fa := range flow.FieldStores(fn) {
		switch isType, spec := kubeapi.BalancerField(fa); {
		case isType:
			if c, ok := st.Val.(*ssa.Const); !ok || c.Value != nil && constant.StringVal(c.Value) == kubeapi.LoadBalancer {
				return true
			}
		case spec: // all of it, from elsewhere
			if load, ok := st.Val.(*ssa.UnOp); ok {
				if _, made := load.X.(*ssa.Alloc); !made {
					return true
				}
			}
		}
	}
	return false
}

var byteSlice = types.NewSlice(types.Typ[types.Byte])

// filled reports whether the new object is decoded from bytes: it is given to a function together with such.
func filled(made *ssa.Alloc) bool {
	for in := range values.Uses(made) {
		if call, ok := in.(ssa.CallInstruction); ok &&
			slices.ContainsFunc(flow.Args(call.Common()), func(v ssa.Value) bool { return types.Identical(v.Type().Underlying(), byteSlice) }) {
			return true
		}
	}
	return false
}

// versionCopy takes apart x.ResourceVersion = y.ResourceVersion and x.SetResourceVersion(y.GetResourceVersion()).
func versionCopy(in ssa.Instruction) (x, y ssa.Value) {
	set, x, val := kubeapi.MetaWrite(in)
	if set != kubeapi.MetaResourceVersion {
		return nil, nil
	}
	read, y := kubeapi.MetaRead(flow.Resolve(val))
	if read != kubeapi.MetaResourceVersion {
		return nil, nil
	}
	return x, y
}

// keepsFinalizers reports whether fn gives o any finalizers, or all metadata of another object.
func keepsFinalizers(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		if field, x, _ := kubeapi.MetaWrite(in); field == kubeapi.MetaFinalizers && objectOf(x).path == o.path {
			return true
		}
		if st, ok := in.(*ssa.Store); ok {
			f, ok := st.Addr.(*ssa.FieldAddr)
			if ok && kubeapi.IsObjectMeta(f.Type()) && objectOf(f).path == o.path {
				return true
			}
		}
	}
	return false
}

// isUpdate reports whether w replaces the object, as Update does and Patch does not.
func isUpdate(w event) bool {
	call, ok := w.at.(ssa.CallInstruction)
	if !ok {
		return false
	}
	r, ok := kubeapi.RequestOf(call.Common())
	return ok && r.Verb == kubeapi.VerbUpdate
}

func (a *analyzer) replacement(w event, copied ssa.Instruction, finalizer string) rule.Finding {
	pass, how, beside := a.pass, "line %d copies only the resource version", "only the resource version is copied here"
	if x, _ := versionCopy(copied); x == nil {
		how, beside = nameOf(pass, w)+" replaces what line %d reads", "the stored object is read here"
	}
	return rule.Finding{
		Pos: w.in.Pos(), Sub: "dropped", Site: "replaced-list",
		Message: fmt.Sprintf("this write removes stored finalizers such as %s (%s), so their cleanup is skipped; copy them or use Patch",
			finalizer, fmt.Sprintf(how, rule.Line(pass, flow.Pos(copied)))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(copied), Message: beside}},
	}
}

// A Replaced is a finding about an object that a function is given, for a package to report that gives it one that it is true of.
type Replaced struct {
	Param   int
	Dir     string // of the package
	At      link.At
	Message string
	Copied  link.At // where the resource version is taken over
}

// leaveReplacement leaves f, about the parameter p, to packages that call its function.
func (a *analyzer) leaveReplacement(p *ssa.Parameter, f rule.Finding) {
	if rule.WantedFor(a.pass, "finalizerorder/"+f.Sub, f.Pos) {
		fn := p.Parent()
		a.left[fn] = append(a.left[fn], Replaced{flow.ParamIndex(fn, p), link.Dir(a.pass), link.AtOf(a.pass, f.Pos), f.Message, link.AtOf(a.pass, f.Related[0].Pos)})
	}
}

// checkReplacers reports what functions of other packages do to the objects that fn gives them, and leaves it to others where those
// are given to fn.
func (a *analyzer) checkReplacers(fn *ssa.Function) {
	for call := range flow.Calls(fn) {
		callee := flow.Callee(call.Common())
		var effects Effects
		if callee == nil || !a.fact(callee, &effects) {
			continue
		}
		args := flow.AllArgs(call.Common())
		for _, r := range effects.Replaces {
			if r.Param >= len(args) || a.told[r.At] {
				continue
			}
			balanced, far := a.balanced(args[r.Param])
			for _, p := range far {
				r.Param = flow.ParamIndex(p.Parent(), p)
				if !slices.Contains(a.left[p.Parent()], r) {
					a.left[p.Parent()] = append(a.left[p.Parent()], r)
				}
			}
			if balanced {
				a.told[r.At] = true
				dirs := link.Dirs{r.At.Package(): r.Dir}
				rule.Report(a.pass, rule.Finding{
					Pos: dirs.Pos(a.pass, r.At), Sub: "dropped", Site: "replacing-caller", Message: r.Message, Elsewhere: true,
					Related: []analysis.RelatedInformation{
						{Pos: dirs.Pos(a.pass, r.Copied), Message: "only the resource version is copied here"},
						{Pos: call.Pos(), Message: "the object is passed here"},
					},
				})
			}
		}
	}
}
