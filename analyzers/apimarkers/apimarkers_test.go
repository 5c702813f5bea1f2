package apimarkers_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/apimarkers"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, apimarkers.Analyzer, "apimarkers/...") }

func TestFixes(t *testing.T) { ruletest.RunFixes(t, apimarkers.Analyzer, "fixes/apimarkers/...") }
