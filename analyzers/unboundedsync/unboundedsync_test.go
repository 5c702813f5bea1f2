package unboundedsync_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, unboundedsync.Analyzer, "unboundedsync/...") }
