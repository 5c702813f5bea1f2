package lockheld_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, lockheld.Analyzer, "lockheld/...") }

func TestSlow(t *testing.T) {
	ruletest.Set(t, lockheld.Analyzer, "slow", "true")
	ruletest.Run(t, lockheld.Analyzer, "optin/lockheld/io")
}

// Functions that the user names block without bound.
func TestBlocks(t *testing.T) {
	ruletest.Set(t, lockheld.Analyzer, "blocks", "example.com/operators/optin/blocks/store.Flush,"+
		"example.com/operators/optin/blocks/store.FlushContext,(example.com/operators/optin/blocks/store.Journal).Sync")
	ruletest.Run(t, lockheld.Analyzer, "optin/blocks/declared")
}

// Where programs are put together, they say who calls what is there for others.
func TestUncalled(t *testing.T) {
	old := rule.Active.Programs
	rule.Active.Programs = true
	t.Cleanup(func() { rule.Active.Programs = old })
	ruletest.Run(t, lockheld.Analyzer, "optin/lockheld/uncalled/...")
}
