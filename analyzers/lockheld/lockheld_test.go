package lockheld_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, lockheld.Analyzer, "lockheld/...") }
