package kubeapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// libraryPath is an import path of Kubernetes, or of what is built on it, or a part of one.
var libraryPath = regexp.MustCompile(`^[\w./-]*(k8s\.io|knative\.dev|openshift|operator-framework|library-go|client-go|controller-runtime|` +
	`crossplane|fluxcd|go-logr)/[\w./-]*$`)

// exported is a name that other packages can use.
var exported = regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)

// tools are packages that are no part of ctrllint.
var tools = map[string]string{
	"internal/blocking/inplacegen": "it reads the libraries",
	"internal/markers/wordsgen":    "it reads controller-gen",
	"internal/programs":            "it renames what has no meaning for the libraries",
}

// others are the strings that name something else, of the standard library in most cases.
var others = map[string]string{
	"eventfilter/tombstone/forgets.go Delete": "of sync.Map",
	"finalizerorder/afterfailure.go Error":    "of the interface error",
	"startctx/leaderdebug.go Handler":         "of http.Server",
	"startctx/leaderneeds.go Create":          "of package os",
	"unboundedsync/factory.go New":            "any constructor",
	"blocking/ends.go Done Shutdown":          "of context.Context, and http.Server",
	"blocking/remote.go Client Get":           "of package net/http",
	"blocking/serve.go Shutdown":              "of http.Server",
	"blocking/slow.go Client Get":             "of package net/http",
	"blocking/stream.go New":                  "any constructor",
	"blocking/wait.go Done":                   "of context.Context",
	"lifetime/lifetime.go Panic":              "of package log",
	"lock/call.go Error":                      "of the interface error",
	"lock/drain.go Handle Handler":            "of package net/http",
	"lock/peers.go Done":                      "of sync.WaitGroup",
	"sharing/call.go Field Index Set":         "of package reflect",
	"sharing/read.go Get":                     "any getter",
}

// TestNames holds the rules and their libraries to one place for the names of Kubernetes: no string outside of this
// package is an import path of its libraries, or the name by which this package recognises one of their functions,
// types or fields. It may be the name of something else, too: the path of a standard package stands beside it then,
// or [others] has it.
func TestNames(t *testing.T) {
	known := map[string]bool{}
	eachString(t, filepath.Join("..", "..", "internal/kubeapi"), func(_ token.Position, s string) {
		if exported.MatchString(s) {
			known[s] = true
		}
	})
	paths, names := 0, 0
	for _, dir := range []string{"analyzers", "internal"} {
		eachString(t, filepath.Join("..", "..", dir), func(at token.Position, s string) {
			switch {
			case libraryPath.MatchString(s):
				paths++
				t.Errorf("%s: %q is an import path", at, s)
			case known[s] && !isOther(at.Filename, s):
				names++
				t.Errorf("%s: %q is a name of a library", at, s)
			}
		})
	}
	t.Logf("%d import paths and %d names outside of internal/kubeapi", paths, names)
}

// eachString gives the strings of the Go code in dir, but for tests, struct tags, imports, and what stands beside the
// path of a package of the standard library, or beside a text.
func eachString(t *testing.T, dir string, to func(at token.Position, s string)) {
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
		if d.IsDir() && (d.Name() == "testdata" || tools[rel] != "" || rel == "internal/kubeapi" && !strings.HasSuffix(dir, "kubeapi")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.CompositeLit:
				return !slices.ContainsFunc(n.Elts, isStandardPath)
			case *ast.CallExpr:
				return !slices.ContainsFunc(n.Args, isStandardPath)
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					at := fset.Position(n.Pos())
					at.Filename = rel
					to(at, s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOther reports whether the string name in file is one of others.
func isOther(file, name string) bool {
	for key := range others {
		words := strings.Fields(key)
		if strings.HasSuffix(file, words[0]) && slices.Contains(words[1:], name) {
			return true
		}
	}
	return false
}

// isStandardPath reports whether e is the path of a package of the standard library, or of golang.org/x.
func isStandardPath(e ast.Expr) bool {
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		e = pair.Value
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return false
	}
	s, err := strconv.Unquote(lit.Value)
	return err == nil && (kubeapi.IsStandard(s) && s == strings.ToLower(s) || strings.HasPrefix(s, "golang.org/x/"))
}
