package unboundedsync_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, unboundedsync.Analyzer, "unboundedsync/...") }

func TestFixes(t *testing.T) {
	ruletest.Set(t, unboundedsync.Analyzer, "stopped", "true")
	ruletest.RunFixes(t, unboundedsync.Analyzer, "fixes/unboundedsync/...")
}

func TestLifetime(t *testing.T) {
	ruletest.Set(t, unboundedsync.Analyzer, "lifetime", "true")
	ruletest.Run(t, unboundedsync.Analyzer, "optin/unboundedsync/lifetime")
}

func TestStopped(t *testing.T) {
	ruletest.Set(t, unboundedsync.Analyzer, "stopped", "true")
	ruletest.Run(t, unboundedsync.Analyzer, "optin/unboundedsync/ignored")
}

// Functions that the user names wait until their context or stop channel ends. The flag is lockheld's: both rules read
// the same table.
func TestBlocks(t *testing.T) {
	const store = "example.com/operators/optin/blocks/store."
	ruletest.Set(t, lockheld.Analyzer, "blocks", store+"Flush,"+store+"FlushContext,"+store+"Drain")
	ruletest.Run(t, unboundedsync.Analyzer, "optin/blocks/stops")
}

func TestProcess(t *testing.T) {
	ruletest.Set(t, unboundedsync.Analyzer, "process", "true")
	ruletest.Run(t, unboundedsync.Analyzer, "optin/unboundedsync/process/...")
}
