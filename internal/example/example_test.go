package example_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/example"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, example.Analyzer, "example") }
