package link

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Unit is a part of the facts F that packages leave for the programs that they become part of: whose fact it is.
type Unit[F any] struct {
	Path string
	Dir  string // where the files of the package are

	// Below are the facts of the packages that it imports, where the driver hands on those of direct imports only.
	Below []*F
}

// Self is u, of a fact that has it: by this, facts are known here whatever else they have.
func (u *Unit[F]) Self() *Unit[F] { return u }

// A fact is a pointer to an F that has a Unit.
type fact[F any] interface {
	*F
	analysis.Fact
	Self() *Unit[F]
}

// Gather are the facts of this kind of all packages below that of pass, by path.
func Gather[F any, P fact[F]](pass *analysis.Pass) []P {
	all := map[string]P{}
	for _, f := range pass.AllPackageFacts() {
		below, ok := f.Fact.(P)
		if !ok || f.Package == pass.Pkg {
			continue
		}
		all[below.Self().Path] = below
		for _, b := range below.Self().Below {
			all[P(b).Self().Path] = b
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b P) int { return strings.Compare(a.Self().Path, b.Self().Path) })
}

// HandOn makes own the fact of the package of pass, with those below it where the driver does not hand them on.
func HandOn[F any, P fact[F]](pass *analysis.Pass, own P, below []P) {
	u := own.Self()
	u.Path, u.Dir = pass.Pkg.Path(), Dir(pass)
	if rule.Active.DirectFacts {
		for _, b := range below {
			alone := *b
			P(&alone).Self().Below = nil
			u.Below = append(u.Below, &alone)
		}
	}
	pass.ExportPackageFact(own)
}

// Rename gives the folders of the fact the names that name makes of them.
func (u *Unit[F]) Rename(name func(string) string) {
	u.Dir = name(u.Dir)
	for _, b := range u.Below {
		if r, ok := any(b).(interface{ Rename(func(string) string) }); ok {
			r.Rename(name)
		}
	}
}

// ByFunc are the doors, functions of packages below in some use, each once by the name of its function, which name tells.
func ByFunc[D comparable](doors []D, name func(D) string) map[string][]D {
	all := map[string][]D{}
	for _, d := range doors {
		if of := name(d); !slices.Contains(all[of], d) {
			all[of] = append(all[of], d)
		}
	}
	return all
}

// DirsOf are the folders of the packages of these facts.
func DirsOf[F any, P fact[F]](facts []P) Dirs {
	dirs := Dirs{}
	for _, f := range facts {
		dirs[f.Self().Path] = f.Self().Dir
	}
	return dirs
}
