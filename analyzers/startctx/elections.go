package startctx

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a manager elects a leader is for those to say who make it, often in another package than the one with the Runnables. Where a package
// makes none, what it hands to one to run on the leader alone, and what it starts itself on each replica, is kept until a program is in sight, and left
// alone where no manager of that elects one. A program may have several: then those count that a package makes which imports the one with the Runnables, where there are such.

// Elections is the fact of a package: what it has of managers, and of Runnables for those of others.
type Elections struct {
	link.Unit[Elections]
	Managers []election // that it makes
	Imports  []string   // the packages with something kept that it imports, where it makes managers
	Kept     []link.Kept
}

// AFact marks Elections as a fact.
func (*Elections) AFact() {}

// String is for the tests of facts.
func (e *Elections) String() string {
	text := "on the leader:"
	for _, k := range e.Kept {
		text += " " + k.Sub + " at " + k.At.String()
	}
	return text
}

// toKeep is what gets the findings about Runnables that the package hands to managers; nil where it makes managers itself, and so they are said.
func (own *Elections) toKeep(pass *analysis.Pass) func(rule.Finding) {
	if len(own.Managers) > 0 {
		return nil
	}
	return func(f rule.Finding) {
		if k, ok := link.Keep(pass, f); ok {
			own.Kept = append(own.Kept, k)
		}
	}
}

// elect hands on own, and reports what was kept where a program with a manager that may elect a leader comes together. Who makes the
// managers of what a library has is not known.
func (own *Elections) elect(pass *analysis.Pass) {
	below := link.Gather[Elections](pass)
	if len(own.Managers) > 0 {
		for _, e := range below {
			if len(e.Kept) > 0 && slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == e.Path }) {
				own.Imports = append(own.Imports, e.Path)
			}
		}
	}
	if len(own.Managers)+len(own.Kept) > 0 || rule.Active.DirectFacts && len(below) > 0 {
		link.HandOn(pass, own, below)
	}
	if !link.Program(pass) {
		return
	}
	all := append(below, own)
	dirs := link.DirsOf(all)
	for _, e := range all {
		managers := managersFor(e.Path, all)
		library := pass.Pkg.Path() == link.Libraries && len(managers) == 0
		if !library && !slices.ContainsFunc(managers, func(m election) bool { return m != never }) {
			continue
		}
		for _, k := range e.Kept {
			if link.Judges(pass, e.Path) {
				k.Report(pass, dirs)
			}
		}
	}
}

// managersFor are the managers among all that may run what the package at path hands to one: those that are made by who imports it, or else each of them.
func managersFor(path string, all []*Elections) []election {
	var near, every []election
	for _, e := range all {
		every = append(every, e.Managers...)
		if slices.Contains(e.Imports, path) {
			near = append(near, e.Managers...)
		}
	}
	if len(near) > 0 {
		return near
	}
	return every
}
