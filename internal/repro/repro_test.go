// Package repro_test runs the programs of testdata/repro, which have a bug or do not, and compares what the rules say
// of them.
package repro_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/cachemutation"
	"github.com/ctrllint/ctrllint/analyzers/cachescope"
	"github.com/ctrllint/ctrllint/analyzers/churn"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/losterror"
	"github.com/ctrllint/ctrllint/analyzers/requestobject"
	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

const programs = "../../testdata/repro"

// Each bad program is reported, at the places it names, and no good one is.
func TestReported(t *testing.T) {
	for _, a := range []*analysis.Analyzer{
		cachemutation.Analyzer, cachescope.Analyzer, churn.Analyzer, lockheld.Analyzer, losterror.Analyzer, requestobject.Analyzer,
		startctx.Analyzer, unboundedsync.Analyzer,
	} {
		t.Run(a.Name, func(t *testing.T) { ruletest.Run(t, a, "repro/"+a.Name+"/...") })
	}
}

// No good twin wants a finding, and the bad programs do. A program that no rule reports yet is run all the same.
func TestTwins(t *testing.T) {
	bad, err := filepath.Glob(programs + "/*/*/bad.go")
	if err != nil {
		t.Fatal(err)
	}
	wanted := 0
	for _, file := range bad {
		if wantsFinding(t, file) {
			wanted++
		}
		if good := filepath.Join(filepath.Dir(file), "good.go"); wantsFinding(t, good) {
			t.Errorf("%s wants a finding", good)
		}
	}
	if wanted < 24 {
		t.Errorf("%d of %d bad programs want a finding", wanted, len(bad))
	}
}

func wantsFinding(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(text, []byte("// want "))
}

// Each bad program hangs or is stopped, and each good one ends.
func TestExecuted(t *testing.T) { execute(t, "./lockheld/...") }

// TestExhaustiveExecuted links programs with all of client-go.
func TestExhaustiveExecuted(t *testing.T) { execute(t, "./...") }

// execute fails t unless the tests of the programs that pattern names pass.
func execute(t *testing.T, pattern string) {
	t.Helper()
	cmd := exec.Command("go", "test", pattern)
	cmd.Dir = programs
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("ok ")) {
		t.Errorf("go test %s in %s: %v\n%s", pattern, programs, err, out)
	}
}
