package expectttl_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/expectttl"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, expectttl.Analyzer, "expectttl/...") }

// A store whose methods have names of their own is one when the user says so.
func TestTypes(t *testing.T) {
	ruletest.Set(t, expectttl.Analyzer, "types",
		"example.com/operators/optin/expectttl/declared.Ledger:expect=Open,observe=GetBack,satisfied=Balanced")
	ruletest.Run(t, expectttl.Analyzer, "optin/expectttl/declared")
}
