package startctx_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, startctx.Analyzer, "startctx/...") }
