package requestobject

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// orphanedPods reports deletions of Jobs of batch/v1 without a propagation policy, by controller-runtime's client or a
// client set: the API server's default for Jobs leaves the Pods behind. It is silent where an option is not written
// out, or the function deletes Pods, too.
func (c *checker) orphanedPods(fn *ssa.Function) {
	if flow.Any(flow.InstrsOf[*ssa.Call](fn), deletesPods) {
		return
	}
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		r, ok := kubeapi.RequestOf(&call.Call)
		if !ok || r.Verb != kubeapi.VerbDelete || !deletesJob(call, r) {
			continue
		}
		args := flow.Args(&call.Call)
		options := args[len(args)-1]
		if all := flow.Elements(options); all != nil {
			for _, o := range all {
				ok = ok && isWithoutPolicy(o)
			}
		} else {
			ok = isWithoutPolicy(options)
		}
		if !ok {
			continue
		}
		instead := "pass client.PropagationPolicy(metav1.DeletePropagationBackground)"
		if r.Object == nil {
			instead = "set PropagationPolicy to metav1.DeletePropagationBackground"
		}
		rule.Report(c.pass, rule.Finding{
			Pos: call.Pos(), Sub: "orphanedpods", Site: "job-without-propagation",
			Message: "Delete of a Job without a propagation policy orphans its Pods, which may go on running; " + instead,
		})
	}
}

// deletesJob reports whether the deletion r is one of a Job, by a method of the libraries.
func deletesJob(call *ssa.Call, r kubeapi.Request) bool {
	if r.Object != nil {
		return kubeapi.ClientDelete.Called(&call.Call) && kubeapi.Job.Is(flow.Resolve(r.Object).Type())
	}
	get := kubeapi.GetOf(r.Client.Type())
	return get != nil && kubeapi.IsLibrary(get.Pkg().Path()) && get.Signature().Results().Len() == 2 &&
		kubeapi.Job.Is(get.Signature().Results().At(0).Type())
}

// deletesPods reports whether call is a request that deletes a Pod, or a collection of Pods.
func deletesPods(call *ssa.Call) bool {
	r, ok := kubeapi.RequestOf(&call.Call)
	return ok && (r.Verb == kubeapi.VerbDelete || r.Verb == kubeapi.VerbDeleteCollection) &&
		slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool { return kubeapi.Pod.Is(flow.Resolve(a).Type()) })
}

// isWithoutPolicy reports whether the option, or the struct of options, v is written out and says nothing of
// propagation.
func isWithoutPolicy(v ssa.Value) bool {
	v = flow.Unwrap(v)
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	if flow.IsNil(v) || flow.IsZero(v) || kubeapi.KeepsPropagation(v.Type()) {
		return true
	}
	made, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			if kubeapi.SetsPropagation(flow.Field(in.X.Type(), in.Field).Name()) {
				return false
			}
		case *ssa.UnOp, *ssa.MakeInterface, *ssa.DebugRef:
		case *ssa.Call:
			if _, ok := kubeapi.RequestOf(&in.Call); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}
