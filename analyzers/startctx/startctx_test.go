package startctx_test

import (
	"flag"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

func Test(t *testing.T) {
	for _, dir := range []string{"ignored", "replaced", "loop", "detached", "leaderonly", "certs", "unmanaged", "fixes"} {
		ruletest.Run(t, startctx.Analyzer, "startctx/"+dir+"/...")
	}
}

func TestFixes(t *testing.T) { ruletest.RunFixes(t, startctx.Analyzer, "startctx/fixes/...") }

func TestEntry(t *testing.T) {
	strict := *startctx.Analyzer
	strict.Flags = flag.FlagSet{}
	strict.Flags.Bool("entry", true, "")
	ruletest.Run(t, &strict, "startctx/entry/...")
}
