package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// aside are path elements of packages that nobody edits in the course of a day's work on a controller.
var aside = []string{"test", "tests", "testing", "testutil", "testutils", "e2e", "fake", "hack", "examples", "docs"}

// most is how many packages may import a leaf, directly or not. Nothing but commands would be left of an operator
// otherwise: its main package imports one that imports all controllers to register them.
const most = 2

// leaf chooses the package to edit of which hardly anything depends: at most two packages of the module import it,
// directly or not, and no test of another one does; it is no command, and not set aside for tests. Of these it is the
// one whose size is nearest to the median of the module's packages.
func leaf(pkgs []*pkg) (*pkg, error) {
	tested := map[string]bool{}
	for _, p := range pkgs {
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			if path != p.ImportPath {
				tested[path] = true
			}
		}
	}
	count := importers(pkgs)
	var leaves []*pkg
	for _, p := range pkgs {
		if count[p.ImportPath] <= most && !tested[p.ImportPath] && editable(p) {
			leaves = append(leaves, p)
		}
	}
	sizes := make([]int, len(pkgs))
	for i, p := range pkgs {
		sizes[i] = p.lines
	}
	slices.Sort(sizes)
	median := sizes[len(sizes)/2]
	if len(leaves) == 0 {
		return nil, errors.New("each package is a command, is set aside for tests, or is imported by several")
	}
	return nearest(leaves, func(p *pkg) int { return p.lines - median }), nil
}

// hub chooses the package to edit that half the module depends on: the one for which the packages that import it,
// directly or not, are nearest in number to half of all.
func hub(pkgs []*pkg) (*pkg, error) {
	count := importers(pkgs)
	var hubs []*pkg
	for _, p := range pkgs {
		if editable(p) && count[p.ImportPath] > 0 {
			hubs = append(hubs, p)
		}
	}
	if len(hubs) == 0 {
		return nil, errors.New("no package imports another one")
	}
	// Twice the distance, so that half of an odd number is no fraction.
	return nearest(hubs, func(p *pkg) int { return 2*count[p.ImportPath] - len(pkgs) }), nil
}

// editable tells whether a person would edit p, and a run would notice.
func editable(p *pkg) bool {
	if p.Name == "main" || p.lines == 0 || len(p.GoFiles) == 0 {
		return false
	}
	return !slices.ContainsFunc(strings.Split(p.ImportPath, "/"), func(s string) bool { return slices.Contains(aside, s) })
}

// nearest is the package with the least distance, of several the first by path.
func nearest(pkgs []*pkg, distance func(*pkg) int) *pkg {
	abs := func(p *pkg) int { return max(distance(p), -distance(p)) }
	return slices.MinFunc(pkgs, func(a, b *pkg) int {
		return cmp.Or(cmp.Compare(abs(a), abs(b)), strings.Compare(a.ImportPath, b.ImportPath))
	})
}

// importers counts the packages that import each package, directly or not. pkgs has each behind what it imports.
func importers(pkgs []*pkg) map[string]int {
	count := map[string]int{}
	below := map[string]map[string]bool{}
	for _, p := range pkgs {
		set := map[string]bool{}
		for _, path := range p.Imports {
			if below[path] == nil {
				continue // of another module
			}
			set[path] = true
			for q := range below[path] {
				set[q] = true
			}
		}
		below[p.ImportPath] = set
		for path := range set {
			count[path]++
		}
	}
	return count
}

// lines counts the lines of pkgs, and those of the packages of other modules that they need.
func (m *module) lines(pkgs []*pkg) (own, others int) {
	seen := map[*pkg]bool{}
	var visit func(p *pkg)
	visit = func(p *pkg) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		if p.own() {
			own += p.lines
		} else {
			others += p.lines
		}
		for _, path := range p.Imports {
			visit(m.all[path])
		}
	}
	for _, p := range pkgs {
		visit(p)
	}
	return own, others
}
