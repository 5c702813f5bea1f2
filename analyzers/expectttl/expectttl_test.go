package expectttl_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/expectttl"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) {
	keys := expectttl.Analyzer.Flags.Lookup("keys")
	if keys.DefValue != "false" {
		t.Error("keys is not opt-in")
	}
	if err := keys.Value.Set("true"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = keys.Value.Set(keys.DefValue) }()
	ruletest.Run(t, expectttl.Analyzer, "expectttl/...")
}
