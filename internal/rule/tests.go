package rule

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Code for tests is outside of _test.go files, too: helpers of end-to-end suites, fixtures, fakes. What hangs there
// hangs a test, which the test runner ends. An import of package testing is no evidence: programs import it for
// benchmarks, too.

// suites are the frameworks that most files of a package of tests import.
var suites = []string{"github.com/onsi/ginkgo", "github.com/onsi/gomega"}

// folders are the names of folders for tests and examples.
var folders = []string{"test", "tests", "e2e", "testing", "testutil", "testutils", "example", "examples"}

// InTestFolder reports whether the package of pass lies in a folder for tests, and those are not asked for. There,
// the test runner ends what hangs.
func InTestFolder(pass *analysis.Pass) bool { return !Active.Tests && inFolder(pass, pass.Pkg.Path()) }

// PathInTestFolder is InTestFolder for the package with that path, in the module of pass.
func PathInTestFolder(pass *analysis.Pass, path string) bool {
	return !Active.Tests && inFolder(pass, path)
}

// inFolder reports whether the package with that path, of the module of pass, lies in a folder for tests.
func inFolder(pass *analysis.Pass, path string) bool {
	if pass.Module != nil {
		path = strings.TrimPrefix(path, pass.Module.Path)
	}
	return slices.ContainsFunc(strings.Split(path, "/")[1:], func(dir string) bool { return slices.Contains(folders, dir) })
}

// forTests reports whether f, of the package of pass, is code for tests.
func forTests(pass *analysis.Pass, f *ast.File) bool {
	if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return kubeapi.TestFrameworks[p.Path()] || isSuite(p.Path()) }) {
		return false
	}
	if imports(f, func(path string) bool { return kubeapi.TestFrameworks[path] || isSuite(path) }) {
		return true
	}
	// Most files of a package of tests import the suite; in a folder for tests, some do.
	suites, others := 0, 0
	for _, f := range pass.Files {
		switch {
		case isTestFile(pass, f):
		case imports(f, isSuite):
			suites++
		default:
			others++
		}
	}
	return suites > others || suites > 0 && inFolder(pass, pass.Pkg.Path())
}

func isTestFile(pass *analysis.Pass, f *ast.File) bool {
	return strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go")
}

func isSuite(path string) bool {
	return slices.ContainsFunc(suites, func(s string) bool { return path == s || strings.HasPrefix(path, s+"/") })
}

func imports(f *ast.File, which func(path string) bool) bool {
	return slices.ContainsFunc(f.Imports, func(im *ast.ImportSpec) bool {
		path, err := strconv.Unquote(im.Path.Value)
		return err == nil && which(path)
	})
}
