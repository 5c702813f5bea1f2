package rule

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// What lies in a folder for tests works for tests, and a module that is called so does not.
func TestFolders(t *testing.T) {
	for path, want := range map[string]bool{
		"example.com/testing/pkg/contest": false, "example.com/testing/test/fixtures": true, "example.com/testing/pkg/e2e": true,
		"example.com/testing/testdata": false, "example.com/testing": false,
	} {
		pass := &analysis.Pass{Pkg: types.NewPackage(path, "p"), Module: &analysis.Module{Path: "example.com/testing"}}
		if got := InTestFolder(pass); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
	// Of the standard library, where drivers know of no module.
	if InTestFolder(&analysis.Pass{Pkg: types.NewPackage("testing", "testing")}) {
		t.Error("package testing works for tests alone")
	}
}
