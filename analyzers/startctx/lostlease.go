package startctx

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An election comes back when the lease is lost, and nobody stands for it again by itself. Whoever ran it has to do so, or to see to it that the process ends
// and a new one stands: where he does neither, the process stays, looks healthy, and never leads again; once that has happened to all replicas, nobody does
// the work of the leader.

// Elects is the fact of a function that comes back, without an error, when the lease is lost for which it stands, and does nothing about it.
type Elects struct{}

// AFact marks Elects as a fact.
func (*Elects) AFact() {}

// String is for the tests of facts.
func (*Elects) String() string { return "comes back when the lease is lost" }

// neverAgain reports the elections after which nothing stands again, and nothing ends the process.
func (c *checker) neverAgain(all []*callbacks) {
	if slices.ContainsFunc(c.pkg.All(), servesRequests) {
		return // a probe may tell of the loss
	}
	l := &lostLeases{c: c, callbacks: all}
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if l.elects(call) {
				l.after(call, map[*ssa.Function]bool{})
			}
		})
	}
}

// servesRequests reports whether fn is given the requests of clients.
func servesRequests(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return kube.IsType(p.Type(), "net/http", "Request") })
}

// lostLeases follows what comes after the elections of a package.
type lostLeases struct {
	c         *checker
	callbacks []*callbacks
}

// elects reports whether call stands for a lease, and comes back when that is lost, without anybody having been told.
func (l *lostLeases) elects(call ssa.CallInstruction) bool {
	if isElection(call.Common()) {
		return l.quiet(flow.Decl(call.Parent()))
	}
	callee := flow.Callee(call.Common())
	return callee != nil && callee.Pkg() != l.c.pass.Pkg && l.c.pass.ImportObjectFact(callee, new(Elects))
}

// quiet reports whether the callbacks of an election that fn runs are in sight, and none of them may end the process or tell somebody who does: those that it
// puts together itself, where it does, and else all of the package. Where a leader is reported that does not stop leading, that is the end of it.
func (l *lostLeases) quiet(fn *ssa.Function) bool {
	of := slices.DeleteFunc(slices.Clone(l.callbacks), func(cb *callbacks) bool { return flow.Decl(cb.in) != fn })
	if len(of) == 0 {
		of = l.callbacks
	}
	return len(of) > 0 && !slices.ContainsFunc(of, func(cb *callbacks) bool {
		return cb.told || l.c.callbackTells(cb.started) || l.c.callbackTells(cb.stopped)
	})
}

// callbackTells reports whether the callback v may end the process, or tell somebody something, as far as one knows.
func (c *checker) callbackTells(v ssa.Value) bool {
	fn := c.ownFunc(v)
	return fn == nil || len(fn.Blocks) == 0 || c.funcTells(fn)
}

// funcTells reports whether fn, or what it calls, may.
func (c *checker) funcTells(fn *ssa.Function) bool {
	for in := range c.reached(fn) {
		if c.mayTell(in) {
			return true
		}
	}
	return false
}

// mayTell reports whether the instruction in may end the process, or tell somebody something.
func (c *checker) mayTell(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Go:
		return true
	case *ssa.Select:
		return in.Blocking && len(in.States) > 0
	case ssa.CallInstruction:
		callee := flow.Callee(in.Common())
		return c.endsThing(in) || c.unknownCall(in.Common()) || callee != nil && (callee.Name() == "Done" && kube.SymbolOf(callee).Pkg == "sync" || callee.Name() == "Signal" || callee.Name() == "Broadcast")
	}
	return c.endsThing(in)
}

// unknownCall reports whether call runs what is not in sight, and is no log, nor of a library.
func (c *checker) unknownCall(call *ssa.CallCommon) bool {
	callee := flow.Callee(call)
	if callee == nil || callee.Pkg() == nil || c.pkg.Callee(call) != nil || kube.Logs(callee) || kube.ResultIsLogger(call.Signature()) {
		return false
	}
	path := callee.Pkg().Path()
	return callee.Pkg() == c.pass.Pkg || !kube.IsStandard(path) && !kube.IsLibrary(kube.Path(path))
}

// after looks at what comes after call, which comes back when the lease is lost, in its function, and after that in those that call it.
func (l *lostLeases) after(call ssa.CallInstruction, seen map[*ssa.Function]bool) {
	fn := call.Parent()
	if flow.InLoop(call.Block()) {
		return // it stands again
	}
	switch call := call.(type) {
	case *ssa.Go:
		l.report(call, "the goroutine that stands for the lease ends with it")
		return
	case *ssa.Defer:
		return
	}
	if seen[fn] {
		return
	}
	seen[fn] = true
	switch l.c.leftAfter(call) {
	case staysThere:
		l.report(call, l.c.called(call)+" comes back when the lease is lost, and "+flow.FuncName(fn)+" waits for ever behind it")
	case comesBack:
		l.returned(call, fn, seen)
	}
}

// returned looks at who calls fn, which does nothing else when call has come back.
func (l *lostLeases) returned(call ssa.CallInstruction, fn *ssa.Function, seen map[*ssa.Function]bool) {
	for _, r := range l.c.runnables {
		if r.Fn == fn && r.Managed {
			l.report(call, l.c.called(call)+" comes back when the lease is lost, and the manager takes the end of "+flow.FuncName(fn)+" without an error for a normal one")
			return
		}
	}
	for _, caller := range l.c.pkg.Callers(fn) {
		l.after(caller, seen)
	}
	if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil && obj.Exported() {
		l.c.pass.ExportObjectFact(obj, &Elects{})
	}
}

// report says what happens at call when the lease is lost.
func (l *lostLeases) report(call ssa.CallInstruction, happens string) {
	if !rule.Wanted(l.c.pass, flow.Pos(call)) {
		return
	}
	l.c.report(rule.Finding{
		Pos: flow.Pos(call), Sub: "unmanaged", Site: "lost-lease",
		Message: happens + ": nothing stands for it again, and nothing ends the process, so that this replica goes on and never leads any more; end the process then, or stand again in a loop",
	})
}

// What a function does once one of its calls has come back.
type afterwards uint8

const (
	unclear    afterwards = iota // something that may end the process, or a failure
	comesBack                    // it comes back, without an error
	staysThere                   // it waits for ever
)

// leftAfter is what the function of call does once that has come back.
func (c *checker) leftAfter(call ssa.CallInstruction) afterwards {
	found := unclear
	var stays *ssa.BasicBlock // behind whose end there is a panic that is not come to
	for in := range following(call) {
		if in.Block() == stays {
			continue
		}
		switch in := in.(type) {
		case *ssa.Select:
			if in.Blocking && len(in.States) == 0 {
				stays = in.Block()
			}
		case *ssa.RunDefers:
			if c.defersTell(in.Parent()) {
				return unclear
			}
		case *ssa.Return:
			if i := flow.ErrorResult(in.Parent().Signature); i >= 0 && !noFailure(flow.Given(in, i)) {
				return unclear
			}
			found = comesBack
		}
		if c.tellsThere(in) {
			return unclear
		}
	}
	if stays != nil {
		return staysThere
	}
	return found
}

// noFailure reports whether the error v is nil where a lease was lost: it is nil, or that of a context which goes on.
func noFailure(v ssa.Value) bool {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if ok && call.Call.IsInvoke() && call.Call.Method.Name() == "Err" && blocking.IsBound(call.Call.Value.Type()) {
		return true
	}
	return flow.IsNil(v)
}

// following gives the instructions that control may come to from call on.
func following(call ssa.CallInstruction) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		behind := false
		for _, in := range call.Block().Instrs {
			if behind && !yield(in) {
				return
			}
			behind = behind || in == ssa.Instruction(call)
		}
		seen := map[*ssa.BasicBlock]bool{}
		for _, next := range call.Block().Succs {
			for b := range flow.BlocksFrom(next) {
				if seen[b] {
					continue
				}
				seen[b] = true
				for _, in := range b.Instrs {
					if !yield(in) {
						return
					}
				}
			}
		}
	}
}

// tellsThere reports whether in, or what it calls, may end the process or tell somebody something.
func (c *checker) tellsThere(in ssa.Instruction) bool {
	if recv, ok := in.(*ssa.UnOp); ok && recv.Op == token.ARROW || c.mayTell(in) {
		return true
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	if _, waits := c.table.Call(&call.Call); waits {
		return true // for something that may end
	}
	return c.calleeTells(&call.Call)
}

// calleeTells reports whether a function of the package that call runs may.
func (c *checker) calleeTells(call *ssa.CallCommon) bool {
	own := c.pkg.Callee(call)
	return own != nil && c.funcTells(own)
}

// defersTell reports whether something that fn has deferred may.
func (c *checker) defersTell(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		if d, ok := in.(*ssa.Defer); ok && (c.mayTell(d) || c.calleeTells(&d.Call)) {
			return true
		}
	}
	return false
}
