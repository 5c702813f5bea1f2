package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A function that takes a context or a stop channel, and waits for something else, is to obey what it is given. Where that never ends, since main has
// nothing else to give, nobody is worse off: only the end of the process would have ended the wait.

// stoppedBy reports whether somebody may give fn, or the function that it stands in, something that ends, as far as the package tells; and the doors by
// which others give what is not known here.
func (c *checker) stoppedBy(fn *ssa.Function, seen map[*ssa.Function]bool) (conditions []link.Condition, ends bool) {
	for ; fn != nil; fn = fn.Parent() {
		if seen[fn] || !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return blocking.IsBound(p.Type()) }) {
			continue
		}
		seen[fn] = true
		callers := c.pkg.Callers(fn)
		if c.isDoor(fn) || len(callers) > 0 && flow.Object(fn) != nil && flow.Object(fn).Exported() {
			conditions = appendNew(conditions, link.Condition{Kind: unstopped, Of: flow.Object(fn).FullName()})
		} else if len(callers) == 0 {
			return nil, true
		}
		for _, call := range callers {
			by, ended := c.gives(call, seen)
			if ended {
				return nil, true
			}
			conditions = appendNew(conditions, by...)
		}
	}
	return conditions, false
}

// gives reports whether call may give something that ends, and the doors by which its own function gets what it gives.
func (c *checker) gives(call ssa.CallInstruction, seen map[*ssa.Function]bool) (conditions []link.Condition, ends bool) {
	for _, a := range flow.AllArgs(call.Common()) {
		if !blocking.IsBound(a.Type()) {
			continue
		}
		switch end := c.bounds.Of(a, nil); end.Limit {
		case blocking.Never:
		case blocking.Parameter:
			by, ended := c.stoppedBy(end.Param.Parent(), seen)
			if ended {
				return nil, true
			}
			conditions = appendNew(conditions, by...)
		default:
			return nil, true
		}
	}
	return conditions, false
}

// asItIsGiven reports whether call gives a door of another package nothing that ends, if that is so of what comes by the doors, and a signal still ends
// the process.
func (c *checker) asItIsGiven(call ssa.CallInstruction) (conditions []link.Condition, start bool) {
	if before, _ := c.signals(call); before {
		return nil, false
	}
	conditions, ends := c.gives(call, map[*ssa.Function]bool{})
	return conditions, !ends
}

// appendNew appends those of more to doors that are not there.
func appendNew(conditions []link.Condition, more ...link.Condition) []link.Condition {
	for _, d := range more {
		if !slices.Contains(conditions, d) {
			conditions = append(conditions, d)
		}
	}
	return conditions
}

// asksForSignals reports whether a function of the package asks for the signals to the process.
func (c *checker) asksForSignals() bool {
	return flow.Any(flow.Calls(c.pkg.All()...), func(call ssa.CallInstruction) bool {
		return c.bounds.SetsUpSignals(call.Common())
	})
}

// runsForever reports whether nothing stops p: none of its packages asks for signals, and main gives wait.NeverStop to functions of others.
func runsForever(p *link.Program[Part]) bool {
	signals := func(s *link.Summary[Part]) bool { return s.Part.Signals }
	return !p.Library && !slices.ContainsFunc(p.Packages, signals) && p.Packages[len(p.Packages)-1].Part.Endless
}

// givesNeverStop reports whether the package gives wait.NeverStop to a function of another one.
func (c *checker) givesNeverStop() bool {
	return flow.Any(flow.Calls(c.pkg.All()...), func(call ssa.CallInstruction) bool {
		callee := flow.Callee(call.Common())
		return callee != nil && callee.Pkg() != c.pkg.Pkg && slices.ContainsFunc(flow.Args(call.Common()), kubeapi.IsNeverStop)
	})
}
