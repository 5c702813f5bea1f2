package driver

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/report"
)

// portable names files independently of the machine, so that checkouts can share stored results: below the folder of a
// module, of the module cache or of the standard library, a name starts with a word for that folder.
type portable struct{ roots []root }

type root struct{ dir, word string }

func newPortable(g *load.Graph) *portable {
	words := make(map[string]string)
	packages.Visit(g.Roots, nil, func(p *packages.Package) {
		if g.IsOwn(p) && p.Module != nil && p.Module.Dir != "" {
			words[p.Module.Dir] = "$MODULE(" + p.Module.Path + ")"
		}
	})
	for dir, word := range map[string]string{g.Env.GOROOT: "$GOROOT", g.Env.GOMODCACHE: "$GOMODCACHE"} {
		if dir != "" {
			words[dir] = word
		}
	}
	p := new(portable)
	for dir, word := range words {
		p.roots = append(p.roots, root{strings.TrimSuffix(dir, string(filepath.Separator)), word})
	}
	slices.SortFunc(p.roots, func(a, b root) int { return strings.Compare(b.dir, a.dir) }) // the innermost first
	return p
}

// dirs returns the folders that p has words for.
func (p *portable) dirs() []string {
	var dirs []string
	for _, r := range p.roots {
		dirs = append(dirs, r.dir)
	}
	return dirs
}

// encode returns the portable form of name, which is absolute or starts with an absolute name.
func (p *portable) encode(name string) string {
	for _, r := range p.roots {
		if rest, ok := strings.CutPrefix(name, r.dir); ok && (rest == "" || rest[0] == filepath.Separator) {
			return r.word + filepath.ToSlash(rest)
		}
	}
	return name
}

// decode returns the reverse of encode.
func (p *portable) decode(name string) string {
	for _, r := range p.roots {
		if rest, ok := strings.CutPrefix(name, r.word); ok && (rest == "" || rest[0] == '/') {
			return r.dir + filepath.FromSlash(rest)
		}
	}
	return name
}

// files replaces the names of files in findings.
func files(findings []report.Finding, name func(string) string) []report.Finding {
	out := slices.Clone(findings)
	for i := range out {
		f := &out[i]
		f.File = name(f.File)
		f.Related = slices.Clone(f.Related)
		for j := range f.Related {
			f.Related[j].File = name(f.Related[j].File)
		}
		f.Cycle = slices.Clone(f.Cycle)
		for j := range f.Cycle {
			if f.Cycle[j].File != "" {
				f.Cycle[j].File = name(f.Cycle[j].File)
			}
		}
		f.Fixes = slices.Clone(f.Fixes)
		for j := range f.Fixes {
			f.Fixes[j].Edits = slices.Clone(f.Fixes[j].Edits)
			for k := range f.Fixes[j].Edits {
				f.Fixes[j].Edits[k].File = name(f.Fixes[j].Edits[k].File)
			}
		}
	}
	return out
}

// relativeTo returns names of files relative to dir, with slashes.
func relativeTo(dir string) func(string) string {
	return func(name string) string {
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = rel
		}
		return filepath.ToSlash(name)
	}
}
