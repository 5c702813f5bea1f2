package writer

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// packages are those that the examples name, by their names there.
var packages = map[string]string{
	"appsv1": "k8s.io/api/apps/v1", "batchv1": "k8s.io/api/batch/v1", "corev1": "k8s.io/api/core/v1",
	"apierrors": "k8s.io/apimachinery/pkg/api/errors", "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
	"unstructured": "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured", "fields": "k8s.io/apimachinery/pkg/fields", "labels": "k8s.io/apimachinery/pkg/labels",
	"schema": "k8s.io/apimachinery/pkg/runtime/schema", "types": "k8s.io/apimachinery/pkg/types",
	"sets": "k8s.io/apimachinery/pkg/util/sets", "wait": "k8s.io/apimachinery/pkg/util/wait",
	"informers": "k8s.io/client-go/informers", "kubernetes": "k8s.io/client-go/kubernetes", "listers": "k8s.io/client-go/listers/core/v1",
	"cache": "k8s.io/client-go/tools/cache", "leaderelection": "k8s.io/client-go/tools/leaderelection",
	"workqueue": "k8s.io/client-go/util/workqueue", "klog": "k8s.io/klog/v2",
	"ctrl": "sigs.k8s.io/controller-runtime", "builder": "sigs.k8s.io/controller-runtime/pkg/builder",
	"ctrlcache": "sigs.k8s.io/controller-runtime/pkg/cache", "client": "sigs.k8s.io/controller-runtime/pkg/client",
	"controllerutil": "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil", "event": "sigs.k8s.io/controller-runtime/pkg/event",
	"handler": "sigs.k8s.io/controller-runtime/pkg/handler", "log": "sigs.k8s.io/controller-runtime/pkg/log",
	"manager": "sigs.k8s.io/controller-runtime/pkg/manager", "runtime": "k8s.io/apimachinery/pkg/runtime", "predicate": "sigs.k8s.io/controller-runtime/pkg/predicate", "ptr": "k8s.io/utils/ptr",
	"reconcile": "sigs.k8s.io/controller-runtime/pkg/reconcile", "retry": "k8s.io/client-go/util/retry",
	"context": "context", "errors": "errors", "exec": "os/exec", "fmt": "fmt", "http": "net/http", "maps": "maps", "reflect": "reflect", "slices": "slices",
	"os": "os", "sync": "sync", "time": "time",
	"v1": "example.com/operators/v1",
}

// Bad code of a page is found by the sub-rule that the page is about, and in good code no rule finds anything. What
// the examples leave out, such as the types of receivers, stands in testdata.
func TestExamples(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		files[name] = read(t, root+"/testdata/"+name)
	}
	files["v1/v1.go"] = read(t, "testdata/v1/v1.go")
	var names []string
	for _, a := range analyzers.All() {
		for _, s := range page.Subs(a) {
			name := a.Name + "/" + s.Name
			names = append(names, name)
			rest := read(t, "testdata/"+name+".go")
			for _, heading := range []string{bad, good} {
				folder, _, _ := strings.Cut(strings.ToLower(heading), " ")
				files[path.Join(name, folder, "example.go")] = whole(t, name, rest+Blocks(page.Section(s.Markdown, heading))[0])
			}
		}
		for _, s := range rule.Subs(a) {
			was := s.String()
			if err := s.Set("true"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Set(was) })
		}
	}
	rule.Active.Nursery, rule.Active.Programs = true, true
	t.Cleanup(func() { rule.Active.Nursery, rule.Active.Programs = false, false })
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	r := driver.Run(analyzers.All(), driver.Options{Dir: dir})
	for _, f := range r.Failures {
		t.Errorf("%+v", f)
	}
	found := make(map[string][]string) // by folder and sub-rule
	for _, f := range r.Findings {
		key := path.Dir(f.File) + " " + f.Category
		found[key] = append(found[key], fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message))
	}
	for _, name := range names {
		if len(found[name+"/bad "+name]) == 0 {
			t.Errorf("%s does not find its bad code:\n%s", name, files[name+"/bad/example.go"])
		}
	}
	for key, findings := range found {
		if strings.Contains(key, "/good ") {
			t.Errorf("a finding in good code: %s: %q", key, findings)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// whole is src with the imports that it lacks, as people read it.
func whole(t *testing.T, name, src string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	imports := make(map[string]bool)
	unresolved := make(map[*ast.Ident]bool)
	for _, id := range file.Unresolved {
		unresolved[id] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && unresolved[id] && packages[id.Name] != "" {
				imports[id.Name] = true
			}
		}
		return true
	})
	_, body, _ := strings.Cut(src, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", file.Name)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%s %q\n", name, packages[name])
	}
	b.WriteString(")\n" + body)
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
