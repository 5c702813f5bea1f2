package unboundedsync_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, unboundedsync.Analyzer, "unboundedsync/...") }

func TestFixes(t *testing.T) {
	ruletest.RunFixes(t, unboundedsync.Analyzer, "fixes/unboundedsync/...")
}

// Functions that the user names wait until their context or stop channel ends. The flag is lockheld's: both rules read
// the same table.
func TestBlocks(t *testing.T) {
	const store = "example.com/operators/optin/blocks/store."
	ruletest.Set(t, lockheld.Analyzer, "blocks", store+"Flush,"+store+"FlushContext,"+store+"Drain")
	ruletest.Run(t, unboundedsync.Analyzer, "optin/blocks/stops")
}
