package analyzers_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/driver"
)

// logging is how one library logs a line: with a context, where one is at hand.
// in which packages those do that import something below a path.
var logging = []struct{ name, path, with, without, among string }{
	{"slog", "log/slog", `zzlog.InfoContext(%s, "here")`, `zzlog.Info("here")`, ""},
	{"klog", "k8s.io/klog/v2", `zzlog.FromContext(%s).Info("here")`, `zzlog.InfoS("here")`, "k8s.io/"},
	{"controller-runtime, by a variable that holds a function", "sigs.k8s.io/controller-runtime", `zzlog.LoggerFrom(%s).Info("here", "n", 1)`, `zzlog.Log.WithName("a").Info("here")`, "sigs.k8s.io/controller-runtime"},
	{"controller-runtime", "sigs.k8s.io/controller-runtime/pkg/log", `zzlog.FromContext(%s).V(1).Info("here")`, `zzlog.Log.Info("here")`, "sigs.k8s.io/controller-runtime"},
	{"log", "log", `zzlog.Println("here", %s)`, `zzlog.Printf("here %%d", 1)`, ""},
}

// A line that is logged in each block of an example changes no finding: what is done with a logger is no part of anything.
func TestLogging(t *testing.T) {
	loggingChangesNothing(t, 40, []string{"slog", "controller-runtime"}, "./startctx/...")
}

// TestExhaustiveLogging analyses all examples as often as there are libraries.
func TestExhaustiveLogging(t *testing.T) {
	var all []string
	for _, l := range logging {
		all = append(all, l.name)
	}
	loggingChangesNothing(t, 300, all, "./...")
}

// loggingChangesNothing compares the findings in the examples that patterns name, which are so many at least, with those that they have where
// each of the libraries logs a line in each block.
func loggingChangesNothing(t *testing.T, least int, libraries []string, patterns ...string) {
	t.Helper()
	want := findingsIn(t, "../testdata", patterns...)
	if len(want) < least {
		t.Fatalf("only %d findings", len(want))
	}
	for _, l := range logging {
		if !slices.Contains(libraries, l.name) {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			dir := t.TempDir()
			copyWith(t, "../testdata", dir, func(src []byte) []byte {
				// The programs of circles come from nowhere, and are about what does not end. What imports a library of Kubernetes is
				// looked at more closely, whatever it does with it.
				if bytes.Contains(src, []byte("package circles\n")) || !bytes.Contains(src, []byte("\""+l.among)) {
					return src
				}
				return logged(t, src, l.path, l.with, l.without)
			})
			got := findingsIn(t, dir, patterns...)
			for _, f := range want {
				if !slices.Contains(got, f) {
					t.Errorf("lost: %s", f)
				}
			}
			for _, f := range got {
				if !slices.Contains(want, f) {
					t.Errorf("new: %s", f)
				}
			}
		})
	}
}

// findingsIn are the findings in packages of the module in dir, by file, line and category.
func findingsIn(t *testing.T, dir string, patterns ...string) []string {
	t.Helper()
	r := driver.Run(analyzers.All(), driver.Options{Dir: dir, Patterns: patterns})
	if len(r.Failures) > 0 {
		t.Fatal(r.Failures[:min(5, len(r.Failures))])
	}
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Category))
	}
	return out
}

// copyWith copies the module in the folder from, with the Go files of its own packages changed.
func copyWith(t *testing.T, from, to string, change func([]byte) []byte) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			src = change(src)
		}
		return os.WriteFile(target, src, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// logged is src with a line logged at the beginning of each block. No line of it moves.
func logged(t *testing.T, src []byte, path, with, without string) []byte {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(src, []byte(`import "C"`)) {
		return src
	}
	at := map[int]string{} // what is inserted, by offset
	var contexts []string
	insert := func(pos token.Pos) {
		line := without
		if n := len(contexts); n > 0 && contexts[n-1] != "" {
			line = fmt.Sprintf(with, contexts[n-1])
		}
		at[fset.Position(pos).Offset] = " " + strings.ReplaceAll(line, "%%", "%") + ";"
	}
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					contexts = append(contexts, contextOf(n.Type))
					visit(n.Body)
					contexts = contexts[:len(contexts)-1]
				}
				return false
			case *ast.FuncLit:
				c := contextOf(n.Type)
				contexts = append(contexts, c)
				visit(n.Body)
				contexts = contexts[:len(contexts)-1]
				return false
			case *ast.BlockStmt:
				if len(n.List) > 0 {
					switch n.List[0].(type) {
					case *ast.CaseClause, *ast.CommClause:
						return true
					}
					insert(n.Lbrace + 1)
				}
			case *ast.CaseClause:
				insert(n.Colon + 1)
			case *ast.CommClause:
				insert(n.Colon + 1)
			}
			return true
		})
	}
	visit(file)
	if len(at) == 0 {
		return src
	}
	at[fset.Position(file.Name.End()).Offset] = "; import zzlog \"" + path + "\""
	var out bytes.Buffer
	for i, b := range src {
		out.WriteString(at[i])
		out.WriteByte(b)
	}
	return out.Bytes()
}

// contextOf is the name of the context that a function of that type is given; empty where it has none.
func contextOf(f *ast.FuncType) string {
	for _, p := range f.Params.List {
		sel, ok := p.Type.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Context" || len(p.Names) == 0 || p.Names[0].Name == "_" {
			continue
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "context" {
			return p.Names[0].Name
		}
	}
	return ""
}
