package optionalderef_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/optionalderef"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, optionalderef.Analyzer, "optionalderef/...") }
