// Package lifetime decides how long and how often code runs: what ends the process, what runs once in it, and what is
// tried again.
package lifetime

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// EndsProcess reports whether control never gets past in: a panic, or a call of a function that never returns. A panic
// that is recovered counts as one that is not, the end of the goroutine as that of the process, and a deferred call as
// one in place.
func EndsProcess(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Panic:
		return true
	case *ssa.Go:
		return false
	case ssa.CallInstruction:
		callee := flow.StaticCallee(in.Common())
		known := kubeapi.NeverReturns(flow.Callee(in.Common()))
		return known || callee != nil && len(callee.Blocks) > 0 && !returns(callee)
	}
	return false
}

// returns reports whether fn has a return but the one behind a recovered panic.
func returns(fn *ssa.Function) bool {
	return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool { return ret.Block() != fn.Recover })
}

// NeverReturns reports whether each path through fn, which has a body, ends the process or never ends.
func NeverReturns(fn *ssa.Function) bool {
	return !flow.Search{Goal: flow.IsReturn, Barrier: EndsProcess}.From(fn.Blocks[0])
}

// MayEndProcess reports whether fn, or a function of the package that it calls, starts or makes, ends the process on
// some path.
func MayEndProcess(pkg *program.Program, fn *ssa.Function) bool {
	return flow.Any(pkg.Reach(program.Calls|program.Spawns|program.Mentions, fn), func(f *ssa.Function) bool {
		return flow.Any(flow.Instrs(f), EndsProcess)
	})
}

// Exits reports whether p, if nothing recovers from it, ends the process on purpose: it follows a call that never
// returns, or is in a main package.
func Exits(p *ssa.Panic) bool {
	instrs := p.Block().Instrs
	for _, in := range slices.Backward(instrs[:len(instrs)-1]) {
		if call, ok := in.(*ssa.Call); ok {
			s := kubeapi.Called(&call.Call)
			if kubeapi.NeverReturns(flow.Callee(&call.Call)) && !strings.HasPrefix(s.Name, "Panic") {
				return s.Pkg != "runtime" && s.Pkg != "testing"
			}
			break
		}
	}
	return p.Parent().Pkg != nil && p.Parent().Pkg.Pkg.Name() == "main"
}

// IsProgram reports whether the process ends when fn returns: it is main, or what cobra runs for a command.
func IsProgram(pkg *program.Program, fn *ssa.Function) bool {
	hook := commands(pkg)[fn]
	return isFunc(fn, "main") && fn.Pkg.Pkg.Name() == "main" || kubeapi.RunsCommand(hook)
}

// StartsProcess reports whether fn runs when the process starts: main, an init, a hook of a cobra command, or the
// factory of a plugin of the scheduler.
func StartsProcess(pkg *program.Program, fn *ssa.Function) bool {
	initializes := isFunc(fn, "init") || strings.HasPrefix(fn.Name(), "init#")
	return initializes || kubeapi.MakesPlugin(fn.Signature) || commands(pkg)[fn] != "" || IsProgram(pkg, fn)
}

func isFunc(fn *ssa.Function, name string) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && fn.Name() == name
}

// commands returns the functions of the package that cobra runs, by the field of the command.
func commands(pkg *program.Program) map[*ssa.Function]string {
	type key struct{}
	return program.Memo(pkg, key{}, func() map[*ssa.Function]string { return kubeapi.CobraCommands(pkg) })
}

// OnceOnly reports whether fn runs at most once in a process: it belongs to its start, is run by a sync.Once of the
// process, or is called only by such functions, outside of loops. Several such calls count as one, and dynamic calls as
// none.
func OnceOnly(pkg *program.Program, fn *ssa.Function) bool {
	starts := func(fn *ssa.Function) bool { return StartsProcess(pkg, fn) || doneOnce(fn) }
	return pkg.OnlyFrom(fn, starts, func(call ssa.CallInstruction) bool { return !flow.InLoop(call.Block()) })
}

// doneOnce reports whether the literal fn is only given to the Do of a sync.Once that is a package variable or a field
// of a reconciler.
func doneOnce(fn *ssa.Function) bool {
	lit := flow.ClosureSite(fn)
	if lit == nil {
		return false
	}
	used := false
	for _, r := range *lit.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok || kubeapi.Called(call.Common()) != (kubeapi.Symbol{Pkg: "sync", Recv: "Once", Name: "Do"}) {
			return false
		}
		used = true
		root := flow.PathOf(flow.Recv(call.Common())).Root
		if _, global := root.(*ssa.Global); !global && (root == nil || !kubeapi.HasMethod(root.Type(), kubeapi.ReconcileName)) {
			return false
		}
	}
	return used
}
