package lockheld

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A lock that is leaked only with an error is harmless if all callers end the process on an error. The link phase
// decides this for exported functions.

// Part is the part of the rule in the summary of a package: it is empty.
type Part struct{}

// survived is the kind of the condition that the process continues after an error of a function.
const survived = "fails and the process goes on"

// unused is the value of a condition on a function without uses in the program: its callers are unknown.
func unused(_ *link.Program[Part], c link.Condition) bool { return c.Kind == survived }

// deferLeak defers f, the finding for the leak l of fn, to the link phase if it depends on what the callers of fn do on
// an error, and reports whether it does. The calls of a method are not all known, because of interfaces.
func (r *reporter) deferLeak(fn *ssa.Function, l lock.Leak, f rule.Finding) bool {
	if !l.Failing || !isPlain(fn) {
		return false
	}
	c := failing(fn)
	p := program.Of(r.pass)
	if link.Holds(failures(p, map[link.Condition]bool{c: true}), c, func(link.Condition) bool { return false }) {
		return false // the package itself continues
	}
	r.unit.Defer(f, c)
	return true
}

// failing is the condition that the process continues after an error of fn.
func failing(fn *ssa.Function) link.Condition {
	return link.Condition{Kind: survived, Of: flow.Object(fn).FullName()}
}

// isPlain reports whether fn is a declared function and no method.
func isPlain(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && flow.Object(fn) != nil
}

// failures are the uses of the awaited functions, with what the package does on their errors. Functions that return
// such an error are awaited, too, up to a fixpoint.
func failures(p *program.Program, awaited map[link.Condition]bool) (uses []link.Use) {
	for before := -1; before < len(uses); {
		before, uses = len(uses), nil
		for m := range link.Mentions(p) {
			use := link.Use{Of: link.Condition{Kind: survived, Of: m.Func.FullName()}, Always: true}
			if !awaited[use.Of] {
				continue
			}
			if call, ok := m.In.(*ssa.Call); ok && m.Calls {
				use = afterFailure(call, use.Of)
			}
			uses = append(uses, use)
		}
		for _, u := range uses {
			for _, c := range u.If {
				awaited[c] = true
			}
		}
	}
	return uses
}

// afterFailure is the use of the function of under which its condition holds at call: a search from the call, which
// takes only the non-nil branch of tests of the error, meets a return, a call of it in a loop, or no end of the
// process.
func afterFailure(call *ssa.Call, of link.Condition) link.Use {
	err := flow.ErrorOf(call)
	out, ends := link.Use{Of: of, Always: err == nil}, false
	note := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Return:
			if isPlain(in.Parent()) && returnsError(in) {
				out.If = []link.Condition{failing(in.Parent())}
			} else {
				out.Always = true
			}
		case *ssa.Panic:
			exits := lifetime.Exits(in)
			ends, out.Always = ends || exits, out.Always || !exits
		case *ssa.Call:
			out.Always = out.Always || in == call // in a loop
		}
		return false
	}
	flow.Search{Goal: note, Edge: func(from, to *ssa.BasicBlock) bool {
		test, t := flow.EdgeTest(from, to)
		if t == flow.Unknown {
			return true
		}
		x, isNil, ok := flow.NilTest(test.Cond)
		return !ok || x != err || t == flow.TruthOf(!isNil)
	}}.After(call)
	out.Always = out.Always || out.If == nil && !ends
	return out
}

// returnsError reports whether ret may return an error that is not nil.
func returnsError(ret *ssa.Return) bool {
	err := flow.ReturnedError(ret)
	return err != nil && !flow.IsNil(err)
}
