package requestobject_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/requestobject"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, requestobject.Analyzer, "requestobject/...") }

func TestFixes(t *testing.T) { ruletest.RunFixes(t, requestobject.Analyzer, "requestobject/...") }
