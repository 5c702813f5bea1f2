package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// neverClosed reports the components that are started, for each of many, with a stop channel that is made on the spot and that nobody can
// close. In a program's own package, in a function that blocks forever itself, and of one that is started once, that is the life of the process.
func (c *checker) neverClosed() {
	if c.pkg.Pkg.Name() == "main" {
		return
	}
	lasts := map[*ssa.Function]bool{}
	for _, fn := range c.pkg.Funcs {
		if c.ofTheProcess(fn, lasts) {
			continue
		}
		flow.Calls(fn, func(call ssa.CallInstruction) {
			made := c.startedWith(call.Common())
			if made == nil || c.seen[call] || !c.goroutines && !forEach(call) && !givesOut(call) {
				return
			}
			c.seen[call] = true
			c.report(rule.Finding{
				Pos: flow.Pos(call), Sub: "loop", Site: "unclosed-stop",
				Message: fmt.Sprintf("%s gets a stop channel that is made at line %d and that nothing can close: what %s starts goes on forever",
					c.called(call), c.line(made.Pos()), flow.FuncName(fn)),
				Related: []analysis.RelatedInformation{{Pos: made.Pos(), Message: "the channel is made here, and is not handed to anyone who could close it"}},
			})
		})
	}
}

// forEach reports whether at is done for each of many: in a loop, a Reconcile, or a function that is given an object of the API server, or in
// a literal that is made there, unless that is for a sync.Once.
func forEach(at ssa.Instruction) bool {
	fn := at.Parent()
	if flow.InLoop(at.Block()) || kube.TakesObject(fn) || kube.IsReconcile(flow.Object(fn)) {
		return true
	}
	made := fn.Referrers() // nil for a declared function
	return made != nil && slices.ContainsFunc(*made, func(in ssa.Instruction) bool { return !forOnce(in) && forEach(in) })
}

// givesOut reports whether the function of call gives its caller something that is made of what call runs, such as a lister of an informer: each who calls it
// has one, and none can end it.
func givesOut(call ssa.CallInstruction) bool {
	runs := flow.Unwrap(flow.Resolve(flow.Recv(call.Common())))
	if runs == nil || call.Parent().Signature.Recv() != nil {
		return false
	}
	from, _ := flow.ResultOf(runs)
	for ret := range flow.Returns(call.Parent()) {
		for _, result := range ret.Results {
			if flow.MadeOf(result, func(x ssa.Value) bool { return x == runs || from != nil && x == ssa.Value(from) }) {
				return true
			}
		}
	}
	return false
}

// forOnce reports whether in hands a literal to a sync.Once, or makes one for it.
func forOnce(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.MakeClosure:
		return slices.ContainsFunc(*in.Referrers(), forOnce)
	case ssa.CallInstruction:
		return (kube.Symbol{Pkg: "sync", Recv: "Once", Name: "Do"}).Is(flow.Callee(in.Common()))
	}
	return false
}

// ofTheProcess reports whether what fn starts is to last as long as the process, as it, or a function that it stands in, stays for ever or runs once. Known has
// the answers that were found before.
func (c *checker) ofTheProcess(fn *ssa.Function, known map[*ssa.Function]bool) bool {
	if fn == nil {
		return false
	}
	lasts, ok := known[fn]
	if !ok {
		lasts = c.staysForEver(fn) || onceOnly(fn) || c.ofTheProcess(fn.Parent(), known)
		known[fn] = lasts
	}
	return lasts
}

// startedWith is the channel that was made for the component that call runs or starts, and is never closed; nil where
// it gets another one.
func (c *checker) startedWith(call *ssa.CallCommon) *ssa.MakeChan {
	if w, ok := c.table.Call(call); ok {
		if w.Kind != blocking.Run || w.Stop == nil || w.Bound.Limit != blocking.Never {
			return nil
		}
		made, _ := w.Bound.Site.(*ssa.MakeChan)
		return made
	}
	// An informer factory starts its informers and returns.
	callee, recv, args := flow.Callee(call), flow.Recv(call), flow.Args(call)
	if callee == nil || callee.Name() != "Start" || recv == nil || len(args) != 1 || !kube.IsInformerFactory(recv.Type()) || !isStopChan(args[0].Type()) {
		return nil
	}
	b := c.bounds.Of(args[0], nil)
	if made, ok := b.Site.(*ssa.MakeChan); ok && b.Limit == blocking.Never {
		return made
	}
	return nil
}

// onceOnly reports whether fn comes back at once where a variable of the package says that it has run: nobody starts a second one, and what
// it has started is to last as long as the process.
func onceOnly(fn *ssa.Function) bool {
	if len(fn.Blocks) < 3 {
		return false
	}
	test, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	load, ok := test.Cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	flag, ok := load.X.(*ssa.Global)
	if !ok || flow.ReturnOf(fn.Blocks[0].Succs[0]) == nil {
		return false
	}
	for in := range flow.Instrs(fn) {
		if st, ok := in.(*ssa.Store); ok && st.Addr == ssa.Value(flag) && flow.Dominates(load, st) {
			k, ok := st.Val.(*ssa.Const)
			return ok && k.Value != nil && k.Value.ExactString() == "true"
		}
	}
	return false
}

// staysForEver reports whether fn sets up the signals to the process, has a select without cases, or receives from a channel that it made itself and that
// nothing closes: it is the whole program in all but name.
func (c *checker) staysForEver(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			if c.bounds.SetsUpSignals(in.Common()) {
				return true
			}
		case *ssa.Select:
			if in.Blocking && len(in.States) == 0 {
				return true
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW && isStopChan(in.X.Type()) && c.bounds.Of(in.X, nil).Limit == blocking.Never {
				return true
			}
		}
	}
	return false
}

func isStopChan(t types.Type) bool { return !kube.IsContext(t) && blocking.IsBound(t) }
