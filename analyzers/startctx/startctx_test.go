package startctx_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, startctx.Analyzer, "startctx/...") }

// Where programs are put together, they say who calls what is there for others.
func TestUncalled(t *testing.T) {
	old := rule.Active.Programs
	rule.Active.Programs = true
	t.Cleanup(func() { rule.Active.Programs = old })
	ruletest.Run(t, startctx.Analyzer, "optin/startctx/uncalled/...")
}

func TestFixes(t *testing.T) { ruletest.RunFixes(t, startctx.Analyzer, "startctx/fixes/...") }
