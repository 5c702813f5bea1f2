package unboundedsync

import (
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether something is done once while a process starts, or again and again, is for those to say who call the function that does it: often the main
// package. So where ways to it come from functions which no call in sight leads to, and which others can call, it is kept until a program is in sight.
// A goroutine that is left behind is reported unless the program comes to each of them while it starts; a wait that nothing ends where the program
// is shown to come to one of them again and again.

// Starts is the fact of a package: what of it may be a part of a start, and how it comes to that of others.
type Starts struct {
	link.Unit[Starts]
	Kept    []startWait
	Entries []entry
	Signals bool // it asks for the signals to the process
}

// A startWait is a finding, where a program comes to one of its doors in a way that is not as it is for what a start does.
type startWait struct {
	Doors []door
	link.Kept
}

// A door is a function by which other packages come to what is kept.
type door struct {
	Func string
	Once bool // it leaves a goroutine behind, which is harmless once; else it waits, which is harmless unless it is shown to do so again and again
	Stop bool // it waits for something else than what it is given to end it, which is harmless where that never ends
}

// An entry is a use of the door of another package: a part of a start, if the doors that lead there are.
type entry struct {
	Of    door
	Start bool // as far as this package tells
	Doors []door
}

// AFact marks Starts as a fact.
func (*Starts) AFact() {}

// String is for the tests of facts.
func (s *Starts) String() string {
	text := "of a start:"
	for _, k := range s.Kept {
		text += " " + k.Sub + " at " + k.At.String()
	}
	return text
}

// reportWait says f, which is about the wait at s, where somebody is worse off for it, and keeps it for the programs that say whether anybody is: who comes
// to it again and again, or else who only cannot end it, which is a finding of the site deaf.
func (c *checker) reportWait(f rule.Finding, s site, deaf rule.Site) {
	doors, found := c.harms(s, true)
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
	stop := func(d door) bool { return d.Stop }
	if again := slices.DeleteFunc(slices.Clone(doors), stop); len(again) > 0 {
		c.keep(f, again)
	}
	if found == noHarm && slices.ContainsFunc(doors, stop) {
		c.keep(start, doors)
	}
}

// reportGoroutine says f, about a goroutine that start leaves behind, unless that is done once while the process starts, or in a command that it then ends with.
func (c *checker) reportGoroutine(f rule.Finding, start ssa.CallInstruction) {
	doors, once := c.fromStart(site{at: start, once: true})
	switch {
	case !once || c.joins(start.Parent()):
		rule.Report(c.pass, f)
	case len(doors) > 0:
		c.keep(f, doors)
	}
}

// keep puts off f until a program says how it comes to the doors.
func (c *checker) keep(f rule.Finding, doors []door) {
	if k, ok := link.Keep(c.pass, f); ok {
		c.starts.Kept = append(c.starts.Kept, startWait{doors, k})
	}
}

// isDoor reports whether fn is for other packages to call, and nothing in sight runs it or may.
func (c *checker) isDoor(fn *ssa.Function) bool {
	obj := flow.Object(fn)
	if obj == nil || !obj.Exported() || fn.Parent() != nil {
		return false
	}
	if c.values == nil {
		c.values = map[*types.Func]bool{}
		for _, f := range c.pkg.All() {
			for in := range flow.Instrs(f) {
				for used, called := range named(in) {
					if !called {
						c.values[used] = true
					}
				}
			}
		}
	}
	return !c.values[obj] && len(c.pkg.Origins().Callers(fn)) == 0 // interfaces lead to methods
}

// named yields the functions that in names, and whether it calls them.
func named(in ssa.Instruction) iter.Seq2[*types.Func, bool] {
	return func(yield func(*types.Func, bool) bool) {
		call, isCall := in.(ssa.CallInstruction)
		for _, op := range in.Operands(nil) {
			if fn, ok := (*op).(*ssa.Function); ok {
				if obj := flow.Object(fn); obj != nil && !yield(obj, isCall && op == &call.Common().Value) {
					return
				}
			}
		}
	}
}

// together notes how the package comes to the doors of those below, hands on what there is, and reports what was kept where a program
// comes together.
func (c *checker) together(below []*Starts) {
	c.enter(below)
	c.starts.Signals = !rule.IsDependency(c.pass) && c.asksForSignals()
	if len(c.starts.Kept)+len(c.starts.Entries) > 0 || c.starts.Signals || rule.Active.DirectFacts && len(below) > 0 {
		link.HandOn(c.pass, c.starts, below)
	}
	if !link.Program(c.pass) {
		return
	}
	all := append(below, c.starts)
	p := comings{entries: map[door][]entry{}, library: c.pass.Pkg.Path() == link.Libraries, endless: c.runsForEver(all)}
	for _, s := range all {
		for _, e := range s.Entries {
			p.entries[e.Of] = append(p.entries[e.Of], e)
		}
	}
	dirs := link.DirsOf(all)
	told := map[link.At]bool{}
	for _, s := range all {
		for _, k := range s.Kept { // what is kept twice comes as a wait of somebody again and again first
			if link.Judges(c.pass, s.Path) && !told[k.At] && slices.ContainsFunc(k.Doors, func(d door) bool { return !p.ofTheStart(d, map[door]bool{}) }) {
				told[k.At] = true
				k.Report(c.pass, dirs)
			}
		}
	}
}

// enter notes the entries to the doors of the packages below.
func (c *checker) enter(below []*Starts) {
	var all []door
	for _, s := range below {
		for _, k := range s.Kept {
			all = append(all, k.Doors...)
		}
		for _, e := range s.Entries {
			all = append(all, e.Doors...)
		}
	}
	if len(all) == 0 {
		return
	}
	doors := link.ByFunc(all, func(d door) string { return d.Func })
	for _, f := range c.pkg.All() {
		for in := range flow.Instrs(f) {
			for used, called := range named(in) {
				for _, d := range doors[used.FullName()] {
					e := entry{Of: d}
					if called && d.Stop {
						e.Doors, e.Start = c.asItIsGiven(in.(ssa.CallInstruction))
					} else if called {
						e.Doors, e.Start = c.asAtStart(site{at: in.(ssa.CallInstruction), once: d.Once})
					} else {
						e.Start = !d.Once && !d.Stop && !c.again(f) && !c.elsewhere[used]
					}
					c.starts.Entries = append(c.starts.Entries, e)
				}
			}
		}
	}
}

// asAtStart reports whether what the door does that s calls is as harmless there as it is at a start, if it is where the doors lead to.
func (c *checker) asAtStart(s site) (doors []door, start bool) {
	if s.once {
		return c.fromStart(s)
	}
	doors, found := c.harms(s, false)
	return doors, found == noHarm
}

// isMethod reports whether d is a method: who has its object may call it where no call of it is in sight.
func (d door) isMethod() bool { return strings.HasPrefix(d.Func, "(") }

// The comings are the ways in which a program comes to doors.
type comings struct {
	entries map[door][]entry
	library bool // who calls what a library has is not known
	endless bool // see runsForEver
}

// ofTheStart reports whether the program comes to d at its start alone, or has nothing to give that ends, if it comes there at all.
func (p *comings) ofTheStart(d door, seen map[door]bool) bool {
	if seen[d] {
		return true
	}
	seen[d] = true
	if len(p.entries[d]) == 0 {
		return !d.Once && !d.Stop || !p.library && !d.isMethod() || d.Stop && p.endless
	}
	return !slices.ContainsFunc(p.entries[d], func(e entry) bool {
		return !e.Start || slices.ContainsFunc(e.Doors, func(d door) bool { return !p.ofTheStart(d, seen) })
	})
}
