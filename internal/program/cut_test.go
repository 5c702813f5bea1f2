package program_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// Each place is counted once, for the analyzer that gave up there.
func TestCut(t *testing.T) {
	pass := ssatest.Pass(t, "package p\n")
	lazy := pass.ResultOf[program.Analyzer].(*program.Lazy)
	if notes := lazy.Notes(); len(notes) != 0 {
		t.Errorf("%q before anything was cut", notes)
	}
	as := func(name string) *program.Program {
		p := *pass
		p.Analyzer = &analysis.Analyzer{Name: name}
		return program.Of(&p)
	}
	one, other := as("one"), as("other")
	one.Cut("walks were given up", "f")
	one.Cut("walks were given up", "f")
	one.Cut("walks were given up", "g")
	one.Cut("chains were cut", "f")
	other.Cut("walks were given up", "f")
	want := []string{"one: 1 chains were cut", "one: 2 walks were given up", "other: 1 walks were given up"}
	if notes := lazy.Notes(); !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}
