package lockheld_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, lockheld.Analyzer, "lockheld/...") }

func TestIO(t *testing.T) {
	ruletest.Set(t, lockheld.Analyzer, "io", "true")
	ruletest.Run(t, lockheld.Analyzer, "optin/lockheld/io")
}
