package rule

import (
	"go/parser"
	"go/token"
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
		pass.Pkg = types.NewPackage("example.com/testing/examples/shop", "main") // what a program shows is the business of those who have the package
		if got := PathInTestFolder(pass, path); got != want {
			t.Errorf("%s, by a program that is an example: %t, want %t", path, got, want)
		}
	}
	// Of the standard library, where drivers know of no module.
	if InTestFolder(&analysis.Pass{Pkg: types.NewPackage("testing", "testing")}) {
		t.Error("package testing works for tests alone")
	}
}

// A package of which most files use a suite works for tests, and one file with what its tests need makes none of the
// others one.
func TestSuites(t *testing.T) {
	const plain, suite = "package p", "package p; import _ \"github.com/onsi/gomega\""
	for _, test := range []struct {
		files map[string]string
		want  bool
	}{
		{map[string]string{"a.go": plain, "b.go": plain, "fixtures.go": suite}, false},
		{map[string]string{"a.go": plain, "b.go": suite, "c.go": suite}, true},
		{map[string]string{"a.go": plain, "a_test.go": suite, "b_test.go": suite}, false},
		{map[string]string{"a.go": suite, "b.go": plain, "c.go": plain}, true}, // a itself is one
	} {
		pass := &analysis.Pass{Fset: token.NewFileSet(), Pkg: types.NewPackage("example.com/p", "p")}
		pass.Pkg.SetImports([]*types.Package{types.NewPackage("github.com/onsi/gomega", "gomega")})
		asked := 0
		for name, src := range test.files {
			f, err := parser.ParseFile(pass.Fset, name, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			if pass.Files = append(pass.Files, f); name == "a.go" {
				asked = len(pass.Files) - 1
			}
		}
		if got := forTests(pass, pass.Files[asked]); got != test.want {
			t.Errorf("%v: %t, want %t", test.files, got, test.want)
		}
	}
}

// A package is of the module by whole elements of its path; where no module is known, by its repository.
func TestOfModule(t *testing.T) {
	for _, test := range []struct {
		module, of, pkg string
		want            bool
	}{
		{"example.com/a/b", "example.com/a/b/x", "example.com/a/b/y", true},
		{"example.com/a/b", "example.com/a/b/x", "example.com/a/bc", false},
		{"", "example.com/a/b/x", "example.com/a/b", true},
		{"", "example.com/a/b/x", "example.com/a/c", false},
	} {
		pass := &analysis.Pass{Pkg: types.NewPackage(test.of, "p")}
		if test.module != "" {
			pass.Module = &analysis.Module{Path: test.module}
		}
		if got := OfModule(pass, types.NewPackage(test.pkg, "q")); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}
