package lock_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func TestSummaries(t *testing.T) { ruletest.Run(t, lock.Analyzer, "summaries") }
