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

// A lock that a function leaves held only when it fails harms nobody if all callers end the process then. Who calls an exported function is known
// where a program is linked: such a leak is deferred until then.

// Part is what the rule adds to the summary of a package: nothing.
type Part struct{}

// survived is the kind of the condition that the process goes on after a failure of a function.
const survived = "fails and the process goes on"

// unused says that a function which the program does not mention is called in ways that are not known.
func unused(_ *link.Program[Part], c link.Condition) bool { return c.Kind == survived }

// deferLeak defers f, the finding about the leak l of fn, if it matters only if the process goes on after an error of fn, and the calls of fn tell:
// not those of a method, which may be called through an interface. It reports whether it does.
func (r *reporter) deferLeak(fn *ssa.Function, l lock.Leak, f rule.Finding) bool {
	if !l.Failing || !isPlain(fn) {
		return false
	}
	c := failing(fn)
	p := program.Of(r.pass)
	if link.Holds(failures(p, map[link.Condition]bool{c: true}), c, func(link.Condition) bool { return false }) {
		return false // the package itself goes on
	}
	r.unit.Defer(f, c)
	return true
}

// failing is the condition that the process goes on after a failure of fn.
func failing(fn *ssa.Function) link.Condition {
	return link.Condition{Kind: survived, Of: flow.Object(fn).FullName()}
}

// isPlain reports whether fn is a function with a name.
func isPlain(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && flow.Object(fn) != nil
}

// failures are the uses that the package makes of the awaited functions, and of those that return their errors: what it does if they fail.
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

// afterFailure is what happens after the call fails: the walk continues behind the call, and at each test of the error on the side on which there
// is one.
func afterFailure(call *ssa.Call, of link.Condition) link.Use {
	err := flow.ErrorOf(call)
	out, ends := link.Use{Of: of, Always: err == nil}, false
	note := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Return:
			if isPlain(in.Parent()) && givesError(in) {
				out.If = []link.Condition{failing(in.Parent())}
			} else {
				out.Always = true
			}
		case *ssa.Panic:
			exits := lifetime.Exits(in)
			ends, out.Always = ends || exits, out.Always || !exits
		case *ssa.Call:
			out.Always = out.Always || in == call // once more
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

// givesError reports whether ret gives something else than no error.
func givesError(ret *ssa.Return) bool {
	err := flow.ReturnedError(ret)
	return err != nil && !flow.IsNil(err)
}
