package unboundedsync_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Run(t, unboundedsync.Analyzer,
		"unboundedsync/calls", "unboundedsync/fields", "unboundedsync/followed", "unboundedsync/ignored", "unboundedsync/join", "unboundedsync/other", "unboundedsync/sealed", "unboundedsync/source",
		"unboundedsync/spin", "unboundedsync/started", "unboundedsync/stops", "unboundedsync/wrapped/...")
}

func TestFixes(t *testing.T) { ruletest.RunFixes(t, unboundedsync.Analyzer, "unboundedsync/fixes/...") }

func TestLifetime(t *testing.T) {
	if err := unboundedsync.Analyzer.Flags.Set("lifetime", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unboundedsync.Analyzer.Flags.Set("lifetime", "false") }()
	ruletest.Run(t, unboundedsync.Analyzer, "unboundedsync/lifetime")
}
