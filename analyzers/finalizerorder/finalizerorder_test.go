package finalizerorder_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Run(t, finalizerorder.Analyzer, "finalizerorder/...")
}

// Where programs are put together, they say who looks after what others need.
func TestKeepers(t *testing.T) {
	old := rule.Active.Programs
	rule.Active.Programs = true
	t.Cleanup(func() { rule.Active.Programs = old })
	ruletest.Run(t, finalizerorder.Analyzer, "optin/finalizerorder/testdata/keepers/...")
}
