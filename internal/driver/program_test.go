package driver

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Here is the fact of a package: that it is there.
type Here struct{}

// AFact marks Here as a fact.
func (*Here) AFact() {}

// A program that was not analysed in full is put together nowhere: what it calls is not known. What it imports is a
// library's then.
func TestPrograms(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"used/x.go":  "package used\n\nfunc F() {}\n",
		"whole/x.go": "package main\n\nimport \"example.com/m/used\"\n\nfunc main() { used.F() }\n",
		"other/x.go": "package other\n\nfunc F() {}\n",
		"half/x.go":  "package main\n\nimport (\n\t\"example.com/m/other\"\n\t\"example.com/m/nowhere\"\n)\n\nfunc main() { nowhere.F(other.F) }\n",
		"below/x.go": "package below\n\nimport \"example.com/m/nowhere\"\n\nvar X = nowhere.X\n",
		"above/x.go": "package main\n\nimport \"example.com/m/below\"\n\nfunc main() { _ = below.X }\n",
	})
	var programs, libraries []string
	a := &analysis.Analyzer{Name: "programs", Doc: "programs", FactTypes: []analysis.Fact{new(Here)}}
	a.Run = rule.Wrap("programs", nil, func(pass *analysis.Pass) (any, error) {
		pass.ExportPackageFact(new(Here))
		switch {
		case pass.Pkg.Path() == link.Libraries && link.Linked(pass):
			for _, p := range pass.Pkg.Imports() {
				libraries = append(libraries, p.Path())
			}
		case link.Linked(pass):
			programs = append(programs, pass.Pkg.Path())
		}
		return nil, nil
	})
	Run([]*analysis.Analyzer{a}, Options{Dir: dir})
	slices.Sort(programs)
	slices.Sort(libraries)
	if want := []string{"example.com/m/whole"}; !slices.Equal(programs, want) {
		t.Errorf("programs are %v, want %v", programs, want)
	}
	if want := []string{"example.com/m/above", "example.com/m/below", "example.com/m/half", "example.com/m/other"}; !slices.Equal(libraries, want) {
		t.Errorf("libraries are %v, want %v", libraries, want)
	}
}
