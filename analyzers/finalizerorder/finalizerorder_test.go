package finalizerorder_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, finalizerorder.Analyzer, "finalizerorder/...") }
