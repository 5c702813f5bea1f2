package startctx

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// ignored reports the runnable r if it can block and does nothing with its context or stop channel but log it, so that
// nothing can stop it. It returns whether it has reported r.
//
// It takes the first operation that can block in r or in functions of the package that r calls for certain. A method of the
// receiver with the name of a shutdown (Stop, Close, …) that may end that operation is another way to stop r. Any use of
// the context other than by a logger counts as obeying it, so a context that is passed on and ignored there is missed.
func (c *checker) ignored(r kubeapi.Runnable) bool {
	op := c.ignoredBy(r)
	if op == nil {
		return false
	}
	pos := r.Stop.Pos()
	if !pos.IsValid() {
		pos = r.Fn.Pos()
	}
	report := c.report
	if !r.Managed && r.Fn.Parent() == nil {
		report = func(f rule.Finding) { c.reportCalled(r.Fn, f) }
	}
	message := fmt.Sprintf("%s ignores its %s, but %s at line %d%s: %s stop it; return when %s",
		r.Name, what(r), op.text, c.line(op.pos()), op.inCallee(r.Fn), cannot(r), over(r))
	if call, ok := op.in.(ssa.CallInstruction); ok {
		if s, ok := c.serveOf(call.Common()); ok { // r cannot return while it serves
			message = fmt.Sprintf("%s at line %d%s does not end when %s, so %s stop %s; %s then",
				s.What, c.line(op.pos()), op.inCallee(r.Fn), overNamed(r), cannot(r), r.Name, shutDown(call.Common()))
		}
	}
	report(rule.Finding{
		Pos: pos, Sub: "ignored", Site: "ignored-context", Message: message,
		Related: []analysis.RelatedInformation{{Pos: op.pos(), Message: r.Name + " blocks here"}},
	})
	return true
}

// ignoredBy is the operation at which r blocks if it does not use its context and nothing else ends it, nil otherwise.
func (c *checker) ignoredBy(r kubeapi.Runnable) *operation {
	if kubeapi.BesidesLogs(r.Stop) {
		return nil
	}
	op := c.blocks(r.Fn, map[*ssa.Function]bool{})
	if op == nil || c.stoppedOtherwise(r.Fn, op) {
		return nil
	}
	return op
}

// stoppedOtherwise reports whether the receiver's type has a method with the name of a shutdown (Stop, Close, …) that may
// end op. One whose body is in another package may.
func (c *checker) stoppedOtherwise(fn *ssa.Function, op *operation) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	n := kubeapi.Named(fn.Signature.Recv().Type())
	if n == nil {
		return false
	}
	for m := range n.Methods() {
		if stop := c.pkg.Own(c.pkg.Prog.FuncValue(m)); blocking.IsShutdown(m.Name()) && (stop == nil || c.bounds.EndedBy(stop, op.on...)) {
			return true
		}
	}
	return false
}

func (op *operation) inCallee(fn *ssa.Function) string {
	if flow.Decl(op.in.Parent()) == flow.Decl(fn) {
		return ""
	}
	return " (in " + flow.FuncName(op.in.Parent()) + ")"
}

// what names the parameter that stops r.
func what(r kubeapi.Runnable) string {
	if kubeapi.IsContext(r.Stop.Type()) {
		return "context"
	}
	return "stop channel"
}

// over is the clause that says that r is to stop.
func over(r kubeapi.Runnable) string {
	return "the " + what(r) + " is " + blocking.Ended(r.Stop.Type())
}

// overNamed is over with the name of what asks r to stop, if it has one.
func overNamed(r kubeapi.Runnable) string {
	if obj, _ := r.Stop.Object().(*types.Var); obj != nil && obj.Name() != "" && obj.Name() != "_" {
		return obj.Name() + " is " + blocking.Ended(r.Stop.Type())
	}
	return over(r)
}

// shutDown says how to end the serving that call does.
func shutDown(call *ssa.CallCommon) string {
	server := flow.Recv(call)
	if server == nil {
		return "use an http.Server and call its Shutdown"
	}
	for _, name := range blocking.ServerShutdowns {
		p := flow.PathOf(server)
		if kubeapi.Method(server.Type(), name) != nil && p.Known() {
			return "call " + p.String() + "." + name
		}
	}
	return "shut it down"
}

// cannot is the beginning of the clause that says what cannot stop r.
func cannot(r kubeapi.Runnable) string {
	if r.Managed {
		return "the manager cannot"
	}
	return "nothing can"
}
