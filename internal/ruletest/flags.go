package ruletest

import (
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// Set sets the flag name of a to value until the test ends: what a rule reports only where it is asked to has examples
// of its own, outside the folder that the plain test of the rule reads. An unknown flag fails t.
func Set(t *testing.T, a *analysis.Analyzer, name, value string) {
	t.Helper()
	f := a.Flags.Lookup(name)
	if f == nil {
		t.Fatalf("%s has no flag %s", a.Name, name)
	}
	old := f.Value.String()
	if err := a.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Flags.Set(name, old) })
}

// withNursery asks for the findings of the nursery until the test ends: they have examples among the others.
func withNursery(t *testing.T) {
	t.Helper()
	old := rule.Active.Nursery
	rule.Active.Nursery = true
	t.Cleanup(func() { rule.Active.Nursery = old })
}
