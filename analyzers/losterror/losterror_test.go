package losterror_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/losterror"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, losterror.Analyzer, "losterror/...") }

func TestFixes(t *testing.T) { ruletest.RunFixes(t, losterror.Analyzer, "fixes/losterror/...") }
