package cachemutation_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/cachemutation"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, cachemutation.Analyzer, "cachemutation/...") }

func TestFixes(t *testing.T) { ruletest.RunFixes(t, cachemutation.Analyzer, "cachemutation/fixes") }
