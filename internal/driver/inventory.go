package driver

import (
	"cmp"
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
)

// An inventory is the result of an analyzer that describes the program of a main package, as JSON; nil if there is
// nothing to describe. Its places are those of [link.At].
type inventory interface{ Inventory() []byte }

// placeInText matches a [link.At].
var placeInText = regexp.MustCompile(`[^\s"(,;]+\.go:\d+:\d+`)

// inventories adds to result those of the linked programs that the patterns name. A place in them is "dir/file.go:12",
// named by shown, or "import/path/file.go:12" in a dependency, whose folder is another one on each machine.
func (r *run) inventories(result *Result, shown func(string) string) {
	var programs []*packages.Package
	for _, p := range r.graph.Roots {
		if p.Name == "main" && p.ForTest == "" && r.named[p.ID] && r.linkable(p) && r.linked(p) {
			programs = append(programs, p)
		}
	}
	slices.SortFunc(programs, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	dirs := make(map[string]string)
	for _, p := range r.graph.Own {
		if p.ForTest == "" && !r.graph.IsPart(p) && len(p.GoFiles) > 0 {
			dirs[p.PkgPath] = filepath.ToSlash(shown(filepath.Dir(p.GoFiles[0])))
		}
	}
	for _, p := range programs {
		data := r.units[p].Inventory
		if data == nil && len(r.units[p].Failures) == 0 {
			result.Others = append(result.Others, p.PkgPath)
		}
		if data == nil {
			continue
		}
		result.Inventories = append(result.Inventories, placeInText.ReplaceAllFunc(data, func(text []byte) []byte {
			at := link.At(text)
			name, err := json.Marshal(path.Join(cmp.Or(dirs[at.Package()], at.Package()), at.String()))
			if err != nil {
				return text
			}
			return name[1 : len(name)-1]
		}))
	}
}
