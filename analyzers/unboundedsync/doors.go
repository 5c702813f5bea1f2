package unboundedsync

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether something is done once while a process starts, or again and again, depends on who calls the function that does it: often the main
// package. A finding that depends on calls of exported functions is deferred until a program is linked. A goroutine that is left behind is
// reported unless the program calls each of these functions at its start only; a wait that nothing ends if the program calls one of them again
// and again.

// Part is what the rule adds to the summary of a package.
type Part struct {
	Signals bool // the package asks for the signals to the process
	Endless bool // it is a main package that gives wait.NeverStop to functions of other packages
}

// The kinds of conditions for calls of an exported function. Each holds if a call is not one that the start of a process makes.
const (
	repeated  = "waits again and again" // harmless unless a program calls it so
	leaves    = "leaves goroutines"     // harmless if a program calls it once
	unstopped = "ignores what stops it" // harmless if a program gives it nothing that ends
)

var doors = []string{repeated, leaves, unstopped}

// reportWait says f, which is about the wait at s, where somebody is worse off for it, and keeps it for the programs that say whether anybody is: who comes
// to it again and again, or else who only cannot end it, which is a finding of the site deaf.
func (c *checker) reportWait(f rule.Finding, s site, deaf rule.Site) {
	conditions, found := c.harms(s, true)
	start := f
	start.Site = deaf
	switch found {
	case repeats:
		rule.Report(c.pass, f)
		return
	case deafly:
		rule.Report(c.pass, start)
		if deaf == f.Site {
			return
		}
	}
	stop := func(d link.Condition) bool { return d.Kind == unstopped }
	if again := slices.DeleteFunc(slices.Clone(conditions), stop); len(again) > 0 {
		c.unit.Defer(f, again...)
	}
	if found == noHarm && slices.ContainsFunc(conditions, stop) {
		c.unit.Defer(start, conditions...)
	}
}

// reportGoroutine says f, about a goroutine that start leaves behind, unless that is done once while the process starts, or in a command that it then ends with.
func (c *checker) reportGoroutine(f rule.Finding, start ssa.CallInstruction) {
	conditions, once := c.fromStart(site{at: start, once: true})
	switch {
	case !once || c.joins(start.Parent()):
		rule.Report(c.pass, f)
	case len(conditions) > 0:
		c.unit.Defer(f, conditions...)
	}
}

// isDoor reports whether fn is for other packages to call, and nothing in sight runs it or may.
func (c *checker) isDoor(fn *ssa.Function) bool {
	obj := flow.Object(fn)
	if obj == nil || !obj.Exported() || fn.Parent() != nil {
		return false
	}
	return !c.pkg.IsValue(fn) && len(c.pkg.Origins().Callers(fn)) == 0 // interfaces lead to methods
}

// noteUses notes the calls of functions of packages below that findings depend on.
func (c *checker) noteUses() {
	awaited := c.unit.Awaited(doors...)
	if len(awaited) == 0 {
		return
	}
	for m := range link.Mentions(c.pkg) {
		for _, kind := range doors {
			use := link.Use{Of: link.Condition{Kind: kind, Of: m.Func.FullName()}}
			if !awaited[use.Of] {
				continue
			}
			harmless := kind == repeated && !c.again(m.In.Parent()) && !c.elsewhere[m.Func]
			if m.Calls {
				use.If, harmless = c.asAtStart(m.In.(ssa.CallInstruction), kind)
			}
			use.Always = !harmless
			c.unit.Uses = append(c.unit.Uses, use)
		}
	}
}

// asAtStart reports whether call, of a function with a condition of that kind, is harmless unless one of the conditions holds.
func (c *checker) asAtStart(call ssa.CallInstruction, kind string) (conditions []link.Condition, harmless bool) {
	switch kind {
	case leaves:
		return c.fromStart(site{at: call, once: true})
	case unstopped:
		return c.asItIsGiven(call)
	}
	conditions, found := c.harms(site{at: call}, false)
	return conditions, found == noHarm
}

// unused reports whether c, of a function that the packages of p do not mention, holds. A method may be called through an interface.
func unused(p *link.Program[Part], c link.Condition) bool {
	switch isMethod := strings.HasPrefix(c.Of, "("); c.Kind {
	case leaves:
		return p.Library || isMethod
	case unstopped:
		return (p.Library || isMethod) && !runsForever(p)
	}
	return false
}
