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

// Code that works for tests alone stands outside of _test.go files, too: helpers of end-to-end suites, fixtures, fakes. What
// hangs there hangs a test, and the test runner ends it. Package testing alone says less: programs import it for its
// benchmarks, or to know that they are being tested.

// suites are those by which a package tests: most files of it import one.
var suites = []string{"github.com/onsi/ginkgo", "github.com/onsi/gomega"}

// folders are those of a module whose packages work for tests alone, or show how others are used.
var folders = []string{"test", "tests", "e2e", "testing", "testutil", "testutils", "example", "examples"}

// InTestFolder reports whether the package of pass lies in a folder for tests, and those are not asked for. A lock that is not
// given back is wrong there, too; a wait that nothing ends is the business of who runs the tests.
func InTestFolder(pass *analysis.Pass) bool { return !Active.Tests && inFolder(pass, pass.Pkg.Path()) }

// PathInTestFolder is InTestFolder of the package with that path, in the module of pass: what a program shows of a package is not the business of those
// who test because the program is.
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

// forTests reports whether f, of the package of pass, is code that works for tests alone.
func forTests(pass *analysis.Pass, f *ast.File) bool {
	// Most packages import none of them, and the list of what a package imports is shorter than those of its files.
	if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return kubeapi.TestFrameworks[p.Path()] || isSuite(p.Path()) }) {
		return false
	}
	if imports(f, func(path string) bool { return kubeapi.TestFrameworks[path] }) {
		return true
	}
	if imports(f, isSuite) {
		return true
	}
	// Most of a package of tests uses the suite. A suite in _test.go files says nothing of the package that it tests, and what only they need
	// may stand in a file of that, outside of the folders for tests.
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
