package churn_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/churn"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, churn.Analyzer, "churn/...") }

func TestFixes(t *testing.T) {
	ruletest.RunFixes(t, churn.Analyzer, "churn/pointer", "churn/maporder", "churn/across/...")
}
