package startctx

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a manager elects a leader is decided where it is made, often in another package than the one with the Runnables. If a package makes
// no manager, its findings about Runnables that it hands to one, and about what it starts itself on each replica, are deferred until a program is
// linked in which a manager may elect a leader. Of several managers, those count that are made by packages which import the one with the
// Runnables, if there are such.

// Elections is the part of a package in its summary: the managers that it makes.
type Elections struct {
	Managers []election
	Imports  []string // the packages with findings about Runnables that it imports, if it makes managers
}

// onLeader is the kind of the condition that a manager which runs the Runnables of a package may elect a leader.
const onLeader = "elects a leader"

// noteManagers notes the managers that the package makes.
func (c *checker) noteManagers() {
	c.unit.Part.Managers = c.managers()
	if len(c.unit.Part.Managers) == 0 {
		return
	}
	awaited := c.unit.Awaited(onLeader)
	for _, p := range c.pass.Pkg.Imports() {
		if awaited[link.Condition{Kind: onLeader, Of: p.Path()}] {
			c.unit.Part.Imports = append(c.unit.Part.Imports, p.Path())
		}
	}
	slices.Sort(c.unit.Part.Imports)
}

// untilElected defers findings about Runnables that the package hands to managers; nil if it makes managers itself, so that they are reported.
func (c *checker) untilElected() func(rule.Finding) {
	if len(c.unit.Part.Managers) > 0 {
		return nil
	}
	return func(f rule.Finding) { c.unit.Defer(f, link.Condition{Kind: onLeader, Of: c.unit.Path}) }
}

// elected reports whether c holds in p. The managers for the packages of a library are not known.
func elected(p *link.Program[Elections], c link.Condition) bool {
	if c.Kind != onLeader {
		return false
	}
	var near, all []election
	for _, s := range p.Packages {
		all = append(all, s.Part.Managers...)
		if slices.Contains(s.Part.Imports, c.Of) {
			near = append(near, s.Part.Managers...)
		}
	}
	if len(near) > 0 {
		all = near
	}
	return p.Library && len(all) == 0 || slices.ContainsFunc(all, func(m election) bool { return m != never })
}
