package cachescope_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/cachescope"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, cachescope.Analyzer, "cachescope/...") }
