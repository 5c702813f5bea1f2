package finalizerorder

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

var (
	creatorName = regexp.MustCompile(`^(Create|Provision|Reconcile|Ensure|Launch|Allocate|Deploy|Install|Register|Attach|Present|Import|Run|Add|Bind)[A-Z]|^(Create|Provision|Reconcile|Ensure|Launch|Allocate|Deploy|Install|Present)$`)
	writerName  = regexp.MustCompile(`(?i)patch|update|persist|save|close|apply|flush|finalizer|store`)
	noCreator   = regexp.MustCompile(`(?i)delet|event|status|condition|finalizer|remov|context|tracing|span`)
)

// checkLate reports the finalizers that fn adds in memory, and writes only after it has had something created outside
// of the cluster.
func (a *analyzer) checkLate(fn *ssa.Function) {
	events := a.events(fn)
	reported := map[ssa.Instruction]bool{}
	for _, e := range events {
		if e.kind != adds || e.deferred || reported[e.in] || e.only {
			continue
		}
		if created := a.createdBefore(e, events); created != nil {
			reported[e.in] = true
			a.reportLate(e, created)
		}
	}
}

// createdBefore is a call that creates something outside of the cluster between the addition e and the write of it.
func (a *analyzer) createdBefore(e event, events []event) *ssa.Call {
	var created *ssa.Call
	written := map[ssa.Instruction]bool{}
	for _, w := range events {
		switch w.kind {
		case writes, creates, addsNow:
			written[w.in] = true
		}
	}
	w := walk{
		goal: func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			if ok && isCreation(call, e) {
				created = call
				return true
			}
			return false
		},
		stop: func(in ssa.Instruction) bool {
			if written[in] {
				return true
			}
			call, ok := in.(*ssa.Call)
			if !ok {
				return false
			}
			fn := flow.Callee(&call.Call)
			return fn == nil && !isBuiltin(call) || fn != nil && in != e.in && writerName.MatchString(fn.Name()) && !isAssembly(call)
		},
		exit: func(*ssa.Return, map[ssa.Instruction]bool) bool { return false },
	}
	v, _ := e.in.(ssa.Value)
	if w.from(e.in, v, isTrue) {
		return created
	}
	return nil
}

func isBuiltin(call *ssa.Call) bool { _, ok := call.Call.Value.(*ssa.Builtin); return ok }

// isAssembly reports whether call only builds a value: it cannot fail.
func isAssembly(call *ssa.Call) bool { return errorResult(call.Call.Signature()) < 0 }

// isCreation reports whether call is one of a service that is not the cluster's API: a method of something other than
// the reconciler and its clients, named after making something, that may fail.
func isCreation(call *ssa.Call, e event) bool {
	fn := flow.Callee(&call.Call)
	recv := flow.Recv(&call.Call)
	if fn == nil || recv == nil || fn.Pkg() == nil || errorResult(call.Call.Signature()) < 0 || !creatorName.MatchString(fn.Name()) || noCreator.MatchString(fn.Name()) {
		return false
	}
	if isClient(recv.Type()) || isObject(recv.Type()) || isStandard(fn.Pkg()) {
		return false
	}
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		return false // of this package: what it calls is no longer between the lines
	}
	if p := kube.Path(fn.Pkg().Path()); strings.HasPrefix(p, "k8s.io/") || strings.HasPrefix(p, kube.ControllerRuntime) {
		return false
	}
	for _, arg := range flow.Args(&call.Call) {
		if isClient(arg.Type()) {
			return false
		}
	}
	own := e.in.Parent()
	for own.Parent() != nil {
		own = own.Parent()
	}
	p := flow.PathOf(recv)
	return own.Signature.Recv() == nil || len(own.Params) == 0 || p.Root != ssa.Value(own.Params[0]) || p.Sel != ""
}

func (a *analyzer) reportLate(e event, created *ssa.Call) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "lateadd",
		Message: fmt.Sprintf("%s gets a finalizer here in memory only, and %s at line %d runs before it is written: after a crash in between nothing guards what that has made; write the object first",
			nameOf(pass, e), flow.Callee(&created.Call).Name(), rule.Line(pass, flow.Pos(created))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(created), Message: "something is created here"}},
	})
}
