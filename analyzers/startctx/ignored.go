package startctx

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// ignored reports r if nothing in it looks at its context and it can block. It returns whether it did.
func (c *checker) ignored(r runnable) bool {
	if used(r.stop) || c.stoppedOtherwise(r.fn) {
		return false
	}
	op := c.blocks(r.fn, map[*ssa.Function]bool{}, 0)
	if op == nil {
		return false
	}
	pos := r.stop.Pos()
	if !pos.IsValid() {
		pos = r.fn.Pos()
	}
	c.report(pos, "ignored", fmt.Sprintf("%s ignores its %s, and %s at line %d%s: nothing ends it when the manager stops",
		r.name, r.what(), op.text, rule.Line(c.pass, op.pos), op.inCallee(r.fn)),
		analysis.RelatedInformation{Pos: op.pos, Message: "here " + r.name + " waits"})
	return true
}

func (c *checker) report(pos token.Pos, sub, message string, related ...analysis.RelatedInformation) {
	rule.Report(c.pass, rule.Finding{Pos: pos, Sub: sub, Message: message, Related: related})
}

// used reports whether any instruction reads the parameter.
func used(p *ssa.Parameter) bool {
	for _, r := range *p.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}

// stoppedOtherwise: the receiver's type has a method that stops it, so that its owner has another way than the context.
func (c *checker) stoppedOtherwise(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	n := kube.Named(fn.Signature.Recv().Type())
	if n == nil {
		return false
	}
	for i := range n.NumMethods() {
		if stopMethods[n.Method(i).Name()] {
			return true
		}
	}
	return false
}

// operation is something that can block.
type operation struct {
	pos  token.Pos
	text string // as the clause of a sentence: "the send on x.ch can block"
	fn   *ssa.Function
}

func (op *operation) inCallee(fn *ssa.Function) string {
	if op.fn == fn || flow.Decl(op.fn) == flow.Decl(fn) {
		return ""
	}
	return " (in " + flow.FuncName(op.fn) + ")"
}

const maxDepth = 5

// blocks is the first operation of fn, or of the functions of this package that it surely calls, that can block
// without end, or talks to something outside the process. Goroutines block nobody but themselves.
func (c *checker) blocks(fn *ssa.Function, seen map[*ssa.Function]bool, depth int) *operation {
	if seen[fn] || depth > maxDepth {
		return nil
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if text := c.blocking(in); text != "" {
				return &operation{flow.Pos(in), text, fn}
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, spawned := in.(*ssa.Go); spawned {
				continue
			}
			if callee := flow.StaticCallee(call.Common()); callee != nil && callee.Pkg == fn.Pkg {
				if op := c.blocks(callee, seen, depth+1); op != nil {
					return op
				}
			}
		}
	}
	for _, loop := range flow.Loops(fn) {
		if len(loop.Exits()) == 0 {
			in := loop.Header.Instrs[0]
			return &operation{flow.Pos(in), "the loop has no exit", fn}
		}
	}
	return nil
}

// blocking is the clause that says how in blocks, "" where it does not, or where something else is known to end it.
func (c *checker) blocking(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Send:
		if !buffered(in.Chan) {
			return "the send on " + spell(in.Chan) + " can block for ever"
		}
	case *ssa.UnOp:
		if in.Op == token.ARROW && !c.stops.ends(in.X) {
			return "the receive from " + spell(in.X) + " can block for ever"
		}
	case *ssa.Select:
		if !in.Blocking {
			return ""
		}
		for _, s := range in.States {
			if s.Dir == types.RecvOnly && c.stops.ends(s.Chan) {
				return ""
			}
		}
		return "the select can block for ever"
	case *ssa.Go:
		return ""
	case ssa.CallInstruction:
		return c.blockingCall(in.Common())
	}
	return ""
}

// buffered reports whether ch was made with room in the same function, so that a send can be meant not to block.
func buffered(ch ssa.Value) bool {
	mk, ok := flow.Resolve(ch).(*ssa.MakeChan)
	if !ok {
		return false
	}
	size, ok := mk.Size.(*ssa.Const)
	return !ok || size.Int64() > 0
}

func spell(v ssa.Value) string {
	p := flow.PathOf(v)
	if call, ok := p.Root.(*ssa.Call); ok && p.Sel == "" && isDone(&call.Call) {
		return spell(call.Call.Value) + ".Done()"
	}
	if _, made := p.Root.(*ssa.MakeChan); made {
		return "a channel"
	}
	if p.Known() {
		return p.String()
	}
	return "a channel"
}

// calls are the functions and methods that block until somebody stops them, or wait for something outside. A method is
// silenced where the package calls a stop method on a value of the receiver's type.
var calls = map[kube.Symbol]string{
	{Pkg: "sync", Recv: "WaitGroup", Name: "Wait"}:                                     "waits for goroutines",
	{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Wait"}:                   "waits for goroutines",
	{Pkg: "sync", Recv: "Cond", Name: "Wait"}:                                          "waits for a signal",
	{Pkg: "net/http", Name: "ListenAndServe"}:                                          "serves for ever",
	{Pkg: "net/http", Name: "ListenAndServeTLS"}:                                       "serves for ever",
	{Pkg: "net/http", Name: "Serve"}:                                                   "serves for ever",
	{Pkg: "net/http", Name: "ServeTLS"}:                                                "serves for ever",
	{Pkg: "net/http", Recv: "Server", Name: "ListenAndServe"}:                          "serves until Shutdown",
	{Pkg: "net/http", Recv: "Server", Name: "ListenAndServeTLS"}:                       "serves until Shutdown",
	{Pkg: "net/http", Recv: "Server", Name: "Serve"}:                                   "serves until Shutdown",
	{Pkg: "net/http", Recv: "Server", Name: "ServeTLS"}:                                "serves until Shutdown",
	{Pkg: "google.golang.org/grpc", Recv: "Server", Name: "Serve"}:                     "serves until Stop",
	{Pkg: "net", Recv: "Listener", Name: "Accept"}:                                     "waits for a connection",
	{Pkg: "net/http", Name: "Get"}:                                                     "waits for a response",
	{Pkg: "net/http", Name: "Post"}:                                                    "waits for a response",
	{Pkg: "net/http", Recv: "Client", Name: "Do"}:                                      "waits for a response",
	{Pkg: "net/http", Recv: "Client", Name: "Get"}:                                     "waits for a response",
	{Pkg: "net/http", Recv: "Client", Name: "Post"}:                                    "waits for a response",
	{Pkg: "os/exec", Recv: "Cmd", Name: "Run"}:                                         "waits for a process",
	{Pkg: "os/exec", Recv: "Cmd", Name: "Wait"}:                                        "waits for a process",
	{Pkg: "os/exec", Recv: "Cmd", Name: "Output"}:                                      "waits for a process",
	{Pkg: "os/exec", Recv: "Cmd", Name: "CombinedOutput"}:                              "waits for a process",
	{Pkg: kube.Wait, Name: "Forever"}:                                                  "never returns",
	{Pkg: kube.Wait, Name: "PollInfinite"}:                                             "polls without bound",
	{Pkg: kube.Wait, Name: "PollImmediateInfinite"}:                                    "polls without bound",
	{Pkg: "k8s.io/client-go/tools/leaderelection", Recv: "", Name: "RunOrDie"}:         "runs until its context is done",
	{Pkg: "k8s.io/client-go/tools/leaderelection", Recv: "LeaderElector", Name: "Run"}: "runs until its context is done",
}

// until are the functions that block until the stop channel or context among their arguments fires.
var until = map[kube.Symbol]bool{
	{Pkg: kube.Wait, Name: "Until"}:                                                           true,
	{Pkg: kube.Wait, Name: "UntilWithContext"}:                                                true,
	{Pkg: kube.Wait, Name: "JitterUntil"}:                                                     true,
	{Pkg: kube.Wait, Name: "JitterUntilWithContext"}:                                          true,
	{Pkg: kube.Wait, Name: "NonSlidingUntil"}:                                                 true,
	{Pkg: kube.Wait, Name: "BackoffUntil"}:                                                    true,
	{Pkg: kube.Wait, Name: "PollUntil"}:                                                       true,
	{Pkg: kube.Wait, Name: "PollImmediateUntil"}:                                              true,
	{Pkg: kube.Wait, Name: "PollUntilContextCancel"}:                                          true,
	{Pkg: kube.Cache, Name: "WaitForCacheSync"}:                                               true,
	{Pkg: kube.Cache, Name: "WaitForNamedCacheSync"}:                                          true,
	{Pkg: kube.Cache, Recv: "Controller", Name: "Run"}:                                        true,
	{Pkg: kube.Cache, Recv: "SharedInformer", Name: "Run"}:                                    true,
	{Pkg: kube.Cache, Recv: "SharedInformer", Name: "RunWithContext"}:                         true,
	{Pkg: kube.Cache, Recv: "Controller", Name: "RunWithContext"}:                             true,
	{Pkg: kube.CRCache, Recv: "Informers", Name: "WaitForCacheSync"}:                          true,
	{Pkg: kube.CRCache, Recv: "Informers", Name: "Start"}:                                     true,
	{Pkg: kube.Manager, Recv: "Runnable", Name: "Start"}:                                      true,
	{Pkg: kube.Manager, Recv: "Manager", Name: "Start"}:                                       true,
	{Pkg: kube.ControllerRuntime + "/pkg/controller", Recv: "TypedController", Name: "Start"}: true,
	{Pkg: kube.ControllerRuntime + "/pkg/controller", Recv: "Controller", Name: "Start"}:      true,
}

func (c *checker) blockingCall(call *ssa.CallCommon) string {
	callee := flow.Callee(call)
	if callee == nil {
		return ""
	}
	sym := kube.SymbolOf(callee)
	name := sym.String()
	if recv := flow.Recv(call); recv != nil {
		name = spell(recv) + "." + sym.Name
	}
	if text, ok := calls[sym]; ok {
		if recv := flow.Recv(call); recv != nil {
			if n := kube.Named(recv.Type()); n != nil && c.stops.types[n.Obj()] {
				return ""
			}
		}
		// Closing the listener ends http.Serve and Accept too.
		for _, a := range flow.Args(call) {
			if n := kube.Named(a.Type()); n != nil && n.Obj().Name() == "Listener" && c.stops.types[n.Obj()] {
				return ""
			}
		}
		return name + " " + text
	}
	if until[sym] {
		for _, a := range flow.Args(call) {
			switch {
			case kube.IsContext(a.Type()) && isBackground(a):
				return name + " runs with a context that is never done"
			case isNeverStop(a):
				return name + " runs for ever"
			}
		}
		return ""
	}
	if (kube.Symbol{Pkg: "time", Name: "Sleep"}).Is(callee) && len(call.Args) == 1 && !brief(call.Args[0]) {
		return "time.Sleep holds it up"
	}
	if isClientCall(sym) && len(flow.Args(call)) > 0 && isBackground(flow.Args(call)[0]) {
		return name + " talks to the API server with a context that is never done"
	}
	return ""
}

// isNeverStop reports whether v is wait.NeverStop or a nil stop channel.
func isNeverStop(v ssa.Value) bool {
	if !isStopType(v.Type()) {
		return false
	}
	v = flow.Resolve(v)
	if k, ok := v.(*ssa.Const); ok {
		return k.IsNil()
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if g, ok := load.X.(*ssa.Global); ok {
			return g.Name() == "NeverStop" && g.Pkg != nil && kube.SamePackage(g.Pkg.Pkg.Path(), kube.Wait)
		}
	}
	return false
}

// brief reports whether d is a constant below a second.
func brief(d ssa.Value) bool {
	k, ok := d.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Int {
		return false
	}
	return time.Duration(k.Int64()) < time.Second
}

// isClientCall reports whether sym is a method of a controller-runtime client or of a typed clientset.
func isClientCall(sym kube.Symbol) bool {
	if sym.Recv == "" {
		return false
	}
	switch sym.Name {
	case "Get", "List", "Create", "Update", "Patch", "Delete", "DeleteAllOf", "DeleteCollection", "Apply", "UpdateStatus":
		return sym.Pkg == kube.Client || strings.HasPrefix(sym.Pkg, "k8s.io/client-go/kubernetes/typed/")
	}
	return false
}
