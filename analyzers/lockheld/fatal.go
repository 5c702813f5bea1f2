package lockheld

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/callers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A lock that a function leaves held only where it fails keeps nobody waiting where all who call it end the process then. Who calls a function that
// others may call is known where a program comes together: until then such a leak is kept.

// Failures is the fact of a package: the leaks that are kept, and what it does where a function fails.
type Failures struct {
	link.Unit[Failures]
	Kept  []keptLeak
	Calls []failing

	callers.Waiting // in functions that nobody may call
}

// A keptLeak is one that matters where somebody goes on when the function has failed.
type keptLeak struct {
	Func string
	link.Kept
}

// A failing is what becomes of the error of the function Of.
type failing struct {
	Of     string
	GoesOn bool
	To     string // the function that gives it to its callers; empty where none does
}

// AFact marks Failures as a fact.
func (*Failures) AFact() {}

// String is for the tests of facts.
func (f *Failures) String() string {
	text := "for programs:"
	for _, k := range f.Kept {
		text += " " + k.Sub + " at " + k.At.String()
	}
	for _, k := range f.Findings {
		text += " " + k.Sub + " at " + k.At.String()
	}
	return text
}

// keep puts off the finding f, of the leak l of fn, if it matters only where somebody goes on after an error of fn, for which the calls of fn tell: not
// those of a method, which may be called by an interface, nor where the package itself goes on.
func (f *Failures) keep(pass *analysis.Pass, fn *ssa.Function, l lock.Leak, finding rule.Finding) bool {
	if !l.Failing || !isPlain(fn) || goesOnHere(pass, flow.Object(fn).FullName()) {
		return false
	}
	if k, ok := link.Keep(pass, finding); ok {
		f.Kept = append(f.Kept, keptLeak{flow.Object(fn).FullName(), k})
	}
	return true
}

// isPlain reports whether fn is a function with a name.
func isPlain(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && flow.Object(fn) != nil
}

// failures fills in what the functions of the package do where one of those of that name fails.
func (f *Failures) failures(fns []*ssa.Function, asked map[string]bool) {
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			for _, op := range in.Operands(nil) {
				used, ok := (*op).(*ssa.Function)
				if !ok || flow.Object(used) == nil || !asked[flow.Object(used).FullName()] {
					continue
				}
				made := failing{Of: flow.Object(used).FullName(), GoesOn: true}
				if call, ok := in.(*ssa.Call); ok && op == &call.Call.Value {
					made = afterFailure(call, made.Of)
				}
				f.Calls = append(f.Calls, made)
			}
		}
	}
}

// afterFailure is what becomes of the error of call, of the function of that name: the walk goes on from the call, on the side of each test of the error where
// there is one.
func afterFailure(call *ssa.Call, of string) failing {
	err := flow.ErrorOf(call)
	out, ends := failing{Of: of, GoesOn: err == nil}, false
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, instrs []ssa.Instruction)
	walk = func(b *ssa.BasicBlock, instrs []ssa.Instruction) {
		for _, in := range instrs {
			switch in := in.(type) {
			case *ssa.Return:
				if isPlain(b.Parent()) && givesError(in) {
					out.To = flow.Object(b.Parent()).FullName()
				} else {
					out.GoesOn = true
				}
			case *ssa.Panic:
				exits := lifetime.Exits(in)
				ends, out.GoesOn = ends || exits, out.GoesOn || !exits
			case *ssa.Call:
				out.GoesOn = out.GoesOn || in == call // once more
			}
		}
		succs := b.Succs
		if test := flow.Branch(b); test != nil {
			if x, isNil, ok := flow.NilTest(test.Cond); ok && x == err {
				succs = []*ssa.BasicBlock{flow.Side(test, flow.TruthOf(!isNil))}
			}
		}
		for _, s := range succs {
			if !seen[s] {
				seen[s] = true
				walk(s, s.Instrs)
			}
		}
	}
	b := call.Block()
	walk(b, b.Instrs[slices.Index(b.Instrs, ssa.Instruction(call))+1:])
	out.GoesOn = out.GoesOn || out.To == "" && !ends
	return out
}

// givesError reports whether ret gives something else than no error.
func givesError(ret *ssa.Return) bool {
	i := flow.ErrorResult(ret.Parent().Signature)
	if i < 0 {
		return false
	}
	v, _ := flow.Returned(ret, i)
	return !flow.IsNil(v)
}

// together hands on f, and says the leaks that matter in a program.
func (f *Failures) together(pass *analysis.Pass, say func(rule.Finding)) {
	all := append(link.Gather[Failures](pass), f)
	f.fill(all, pass)
	var parts []callers.Part
	for _, b := range all {
		parts = append(parts, callers.Part{Path: b.Path, Waiting: &b.Waiting})
	}
	f.Fill(pass, parts, nil)
	if len(f.Kept)+len(f.Calls)+len(f.Findings)+len(f.Uses) > 0 || rule.Active.DirectFacts && len(all) > 1 {
		link.HandOn(pass, f, all[:len(all)-1])
	}
	if !link.Program(pass) {
		return
	}
	calls := callsIn(all)
	dirs := link.DirsOf(all)
	callers.Come(pass, dirs, parts, say)
	for _, b := range all {
		for _, k := range b.Kept {
			if !link.Judges(pass, b.Path) || !goesOn(k.Func, calls, true, map[string]bool{}) {
				continue
			}
			if finding := k.Finding(pass, dirs); finding.Pos.IsValid() {
				say(finding)
			}
		}
	}
}

// fill notes the calls of those functions whose errors matter: with a kept leak, and those that give such an error to their callers.
func (f *Failures) fill(all []*Failures, pass *analysis.Pass) {
	asked := map[string]bool{}
	for _, b := range all {
		for _, k := range b.Kept {
			asked[k.Func] = true
		}
		for _, c := range b.Calls {
			asked[c.To] = c.To != ""
		}
	}
	if len(asked) == 0 {
		return
	}
	fns := program.Of(pass).All()
	for before := -1; before < len(f.Calls); {
		before, f.Calls = len(f.Calls), nil
		f.failures(fns, asked)
		for _, c := range f.Calls {
			asked[c.To] = c.To != ""
		}
	}
}

// callsIn are the calls of all, by what they call.
func callsIn(all []*Failures) map[string][]failing {
	calls := map[string][]failing{}
	for _, b := range all {
		for _, c := range b.Calls {
			calls[c.Of] = append(calls[c.Of], c)
		}
	}
	return calls
}

// goesOnHere reports whether the package of pass itself goes on when its function of that name has failed.
func goesOnHere(pass *analysis.Pass, of string) bool {
	own := []*Failures{{Kept: []keptLeak{{Func: of}}}}
	own[0].fill(own, pass)
	return goesOn(of, callsIn(own), false, map[string]bool{})
}

// goesOn reports whether somebody goes on when the function of that name has failed, by these calls. That nobody in sight calls it says nothing, where
// they are all calls of a program.
func goesOn(of string, calls map[string][]failing, all bool, asked map[string]bool) bool {
	if asked[of] {
		return false
	}
	asked[of] = true
	return all && len(calls[of]) == 0 || slices.ContainsFunc(calls[of], func(c failing) bool { return c.GoesOn || c.To != "" && goesOn(c.To, calls, all, asked) })
}
