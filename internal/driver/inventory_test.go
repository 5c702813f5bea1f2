package driver

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// A described is an inventory of a test.
type described struct{ text string }

func (d *described) Inventory() []byte {
	if d.text == "" {
		return nil
	}
	return []byte(d.text)
}

// Programs have their inventories, with places that are relative to the folder of the run, also from the cache and in
// another checkout.
func TestInventories(t *testing.T) {
	runs := 0
	a := &analysis.Analyzer{Name: "describe", Doc: "describe programs", ResultType: reflect.TypeFor[*described]()}
	a.Run = rule.Wrap("describe", new(described), func(pass *analysis.Pass) (any, error) {
		runs++
		if path := pass.Pkg.Path(); pass.Pkg.Name() != "main" || path == "example.com/m/tool" {
			return new(described), nil
		}
		return &described{`{"at":["` + pass.Pkg.Path() + `/main.go:3:1"],"from":"marker example.com/m/lib/x.go:12:5","dep":"example.org/x/y.go:1:2"}`}, nil
	})
	files := map[string]string{
		"lib/x.go":     "package lib\n",
		"b/main.go":    "package main\n\nfunc main() {}\n",
		"a/main.go":    "package main\n\nimport _ \"example.com/m/lib\"\n\nfunc main() {}\n",
		"tool/main.go": "package main\n\nfunc main() {}\n",
		"half/main.go": "package main\n\nimport _ \"example.com/m/nowhere\"\n\nfunc main() {}\n",
	}
	kept, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // checkouts
		top := filetest.Module(t, files)
		for dir, want := range map[string][]string{
			"": {
				`{"at":["a/main.go:3"],"from":"marker lib/x.go:12","dep":"example.org/x/y.go:1"}`,
				`{"at":["b/main.go:3"],"from":"marker lib/x.go:12","dep":"example.org/x/y.go:1"}`,
			},
			"a": {`{"at":["main.go:3"],"from":"marker ../lib/x.go:12","dep":"example.org/x/y.go:1"}`},
		} {
			r := Run([]*analysis.Analyzer{a}, Options{Dir: filepath.Join(top, dir), Store: kept})
			var got []string
			for _, data := range r.Inventories {
				got = append(got, string(data))
			}
			if !slices.Equal(got, want) {
				t.Errorf("in %q, the inventories are\n%s\nand wanted\n%s", dir, got, want)
			}
			if want := []string{"example.com/m/tool"}; dir == "" && !slices.Equal(r.Others, want) {
				t.Errorf("others are %s, want %s", r.Others, want)
			}
		}
	}
	if runs > 8 { // five packages, and half in each run of all
		t.Errorf("the analyzer ran %d times: the cache has answered nothing", runs)
	}
}
