package expectttl_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/expectttl"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, expectttl.Analyzer, "expectttl/...") }
