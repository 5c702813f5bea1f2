package driver

import (
	"crypto/sha256"
	"path/filepath"

	"github.com/ctrllint/ctrllint/internal/report"
)

// sums are hashes of the files that fixes change, as they were analysed, by their names in findings. It is empty for
// a file that changed between runs.
type sums map[string]string

// Analysed reports whether the file with that name in findings had that content when it was analysed. It is false for
// files that no fix of r.Findings changes. The key of a stored result has the content.
func (r *Result) Analysed(name string, content []byte) bool { return r.sums[name] == sum(content) }

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return string(s[:])
}

// leaveDependencies drops the fixes of findings in packages of dependencies: the module cache and the standard
// library are not changed.
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

// sumsOf returns the sums of the files that the fixes of findings change, whose names are relative to base.
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
