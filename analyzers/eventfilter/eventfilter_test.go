package eventfilter_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/eventfilter"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, eventfilter.Analyzer, "eventfilter/...") }

// Where programs are put together, they say whose handlers nobody registers, and whose predicates let through what somebody misses.
func TestUncalled(t *testing.T) {
	old := rule.Active.Programs
	rule.Active.Programs = true
	t.Cleanup(func() { rule.Active.Programs = old })
	ruletest.Run(t, eventfilter.Analyzer, "optin/eventfilter/uncalled/...")
}

func TestFixes(t *testing.T) { ruletest.RunFixes(t, eventfilter.Analyzer, "eventfilter/tombstone") }
