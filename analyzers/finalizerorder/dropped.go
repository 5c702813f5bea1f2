package finalizerorder

import (
	"fmt"
	"go/constant"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// guardedByOthers are the built-in kinds on whose objects controllers of the cluster itself keep a finalizer.
var guardedByOthers = map[kube.Symbol]string{
	{Pkg: "k8s.io/api/core/v1", Name: "Service"}:               "service.kubernetes.io/load-balancer-cleanup",
	{Pkg: "k8s.io/api/core/v1", Name: "PersistentVolumeClaim"}: "kubernetes.io/pvc-protection",
	{Pkg: "k8s.io/api/core/v1", Name: "PersistentVolume"}:      "kubernetes.io/pv-protection",
}

// checkReplacement reports the updates of an object that was made anew and given the resource version of the stored
// one, but not its finalizers.
func (a *analyzer) checkReplacement(fn *ssa.Function) {
	events := a.events(fn)
	for in := range flow.Instrs(fn) {
		x, y := versionCopy(in)
		if x == nil {
			continue
		}
		n := kube.Named(x.Type())
		if n == nil || n.Obj().Pkg() == nil || kube.Named(y.Type()) != n {
			continue
		}
		finalizer := guardedByOthers[kube.Symbol{Pkg: kube.Path(n.Obj().Pkg().Path()), Name: n.Obj().Name()}]
		if finalizer == "" {
			continue
		}
		if n.Obj().Name() == "Service" && !a.balanced(x) {
			continue // without a load balancer nobody puts that finalizer on it
		}
		made, stored := objectOf(x), objectOf(y)
		if !made.known() || made.path == stored.path || made.key.Known() || keepsFinalizers(fn, made) {
			continue
		}
		for _, w := range events {
			if w.kind == writes && !w.deferred && w.obj.path == made.path && isUpdate(w) && flow.Reaches(in, w.in, nil) {
				a.reportReplacement(w, in, finalizer)
				break
			}
		}
	}
}

// balanced reports whether the Service x is of the type LoadBalancer, or of one that is no constant, as far as whoever makes it is in sight, or is it given by callers that are not:
// also where the function is given it, by the callers in the package.
func (a *analyzer) balanced(x ssa.Value) bool { return a.balancedBy(x, map[ssa.Value]bool{}) }

func (a *analyzer) balancedBy(x ssa.Value, seen map[ssa.Value]bool) bool {
	x = flow.Resolve(x)
	if seen[x] {
		return false
	}
	seen[x] = true
	maker := x.Parent()
	switch x := x.(type) {
	case *ssa.Alloc:
	case *ssa.Parameter:
		i := flow.ParamIndex(maker, x)
		return len(a.pkg.Callers(maker)) == 0 || slices.ContainsFunc(a.pkg.Callers(maker), func(c ssa.CallInstruction) bool {
			args := flow.AllArgs(c.Common())
			return i >= 0 && i < len(args) && a.balancedBy(args[i], seen)
		})
	case *ssa.Call:
		maker = a.pkg.Callee(&x.Call)
	default:
		maker = nil
	}
	if maker == nil {
		return false
	}
	for st, fa := range flow.FieldStores(maker) {
		if f := flow.Field(fa.X.Type(), fa.Field); f == nil || f.Name() != "Type" || !kube.IsType(fa.X.Type(), "k8s.io/api/core/v1", "ServiceSpec") {
			continue
		}
		if c, ok := st.Val.(*ssa.Const); !ok || c.Value != nil && constant.StringVal(c.Value) == "LoadBalancer" {
			return true
		}
	}
	return false
}

// versionCopy takes apart x.ResourceVersion = y.ResourceVersion and x.SetResourceVersion(y.GetResourceVersion()).
func versionCopy(in ssa.Instruction) (x, y ssa.Value) {
	var from ssa.Value
	switch in := in.(type) {
	case *ssa.Store:
		x, from = metaField(in.Addr, "ResourceVersion"), in.Val
	case *ssa.Call:
		fn := flow.Callee(&in.Call)
		if fn == nil || fn.Name() != "SetResourceVersion" || len(flow.Args(&in.Call)) != 1 {
			return nil, nil
		}
		x, from = flow.Recv(&in.Call), flow.Args(&in.Call)[0]
	}
	if x == nil {
		return nil, nil
	}
	switch from := flow.Resolve(from).(type) {
	case *ssa.UnOp:
		y = metaField(from.X, "ResourceVersion")
	case *ssa.Call:
		if fn := flow.Callee(&from.Call); fn != nil && fn.Name() == "GetResourceVersion" {
			y = flow.Recv(&from.Call)
		}
	}
	if y == nil {
		return nil, nil
	}
	return holder(x), holder(y)
}

// metaField is the object whose metadata field name is at addr, nil where addr is anything else.
func metaField(addr ssa.Value, name string) ssa.Value {
	f, ok := addr.(*ssa.FieldAddr)
	if !ok || !kube.IsType(f.X.Type(), kube.MetaV1, "ObjectMeta") {
		return nil
	}
	if field := flow.Field(f.X.Type(), f.Field); field == nil || field.Name() != name {
		return nil
	}
	return f.X
}

// holder is the object whose embedded metadata v is.
func holder(v ssa.Value) ssa.Value {
	if f, ok := v.(*ssa.FieldAddr); ok && kube.IsType(v.Type(), kube.MetaV1, "ObjectMeta") {
		return f.X
	}
	return v
}

// keepsFinalizers reports whether fn gives o any finalizers, or all metadata of another object.
func keepsFinalizers(fn *ssa.Function, o object) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			if x := finalizersField(in.Addr); x != nil && objectOf(x).path == o.path {
				return true
			}
			if f, ok := in.Addr.(*ssa.FieldAddr); ok && kube.IsType(f.Type(), kube.MetaV1, "ObjectMeta") && objectOf(f).path == o.path {
				return true
			}
		case *ssa.Call:
			f := flow.Callee(&in.Call)
			if f != nil && f.Name() == "SetFinalizers" && flow.Recv(&in.Call) != nil && objectOf(flow.Recv(&in.Call)).path == o.path {
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
	r, ok := kube.RequestOf(call.Common())
	return ok && r.Verb == kube.VerbUpdate
}

func (a *analyzer) reportReplacement(w event, copied ssa.Instruction, finalizer string) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: w.in.Pos(), Sub: "dropped",
		Message: fmt.Sprintf("%s loses the finalizers of the stored object with this update: line %d gives it the resource version of that and not its finalizers, such as %s of the cluster's own controller; copy them, or patch",
			nameOf(pass, w), rule.Line(pass, flow.Pos(copied)), finalizer),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(copied), Message: "only the resource version is taken over"}},
	})
}
