package driver

import (
	"crypto/sha256"
	"path/filepath"

	"github.com/ctrllint/ctrllint/internal/report"
)

// sums stand for the contents of the files that fixes change, as they were when they were analysed. Names are those of
// findings. There is an empty one for a file that was not always the same.
type sums map[string]string

// Analysed reports whether the file with that name, as findings have it, had that content when it was analysed. It knows
// the files that the fixes of r.Findings change, and is false for others. What comes out of the store was made of the same
// content: that is part of the key.
func (r *Result) Analysed(name string, content []byte) bool { return r.sums[name] == sum(content) }

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return string(s[:])
}

// leaveDependencies takes the fixes from findings in packages of dependencies, where somebody has named such: nobody is to write
// into the module cache or the standard library.
func (r *run) leaveDependencies(findings []report.Finding) {
	if !r.foreign {
		return
	}
	of := make(map[string]bool)
	for _, p := range r.graph.Own {
		of[p.PkgPath] = r.graph.OfDependency(p)
	}
	for i := range findings {
		if of[findings[i].Package] {
			findings[i].Fixes = nil
		}
	}
}

// sumsOf are those of the files that the fixes of findings change, whose names are relative to base.
func (r *run) sumsOf(findings []report.Finding, base string) sums {
	s := make(sums)
	for _, f := range findings {
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				name := filepath.FromSlash(e.File)
				if !filepath.IsAbs(name) {
					name = filepath.Join(base, name)
				}
				if content, ok := r.graph.Kept(name); ok {
					s[e.File] = sum(content)
				}
			}
		}
	}
	return s
}

// add adds those of another run.
func (s *sums) add(more sums) {
	if *s == nil {
		*s = make(sums)
	}
	for name, sum := range more {
		if before, known := (*s)[name]; known && before != sum {
			sum = ""
		}
		(*s)[name] = sum
	}
}
