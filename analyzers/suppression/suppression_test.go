package suppression_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

// suite is the rule named so.
func suite(t *testing.T, name string) *analysis.Analyzer {
	t.Helper()
	all := analyzers.All()
	i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name })
	if i < 0 {
		t.Fatalf("no rule %s", name)
	}
	return all[i]
}

func Test(t *testing.T) { ruletest.Run(t, suite(t, "suppression"), "suppression/comments") }

// What is silenced is silenced for the rule itself, whether the rule suppression runs or not.
func TestSilenced(t *testing.T) { ruletest.Run(t, suite(t, "lockheld"), "suppression/silenced") }

func TestGolangci(t *testing.T) {
	rule.Active.Golangci = true
	t.Cleanup(func() { rule.Active.Golangci = false })
	ruletest.Run(t, suite(t, "lockheld"), "suppression/foreign")
	ruletest.Run(t, suite(t, "suppression"), "suppression/foreign2")
}
