package cachemutation

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// Where the copy of a struct gets a map of its own if it has none, a write to the map is one to what the cache has only if the object has one
// there. It has not where a transform function empties the field. Who sets that up may be a package that imports the one with the
// write: so such findings are kept until all packages of a program are in sight.

// Linked is the fact of a package: what it takes a program to judge, and what there is to judge that by.
type Linked struct {
	Path, Dir  string
	Transforms []sharing.Transform
	Kept       []kept

	// Below are the facts of the packages that it imports, where the driver hands on those of direct imports only.
	Below []*Linked
}

// A kept is a finding that holds in a program where the object has something at one of the places that it needs.
type kept struct {
	Needs      []need
	At         link.At
	Sub        string
	Message    string
	Confidence rule.Confidence
	Related    []beside
}

type beside struct {
	At      link.At
	Message string
}

// A need is the path of a field of the objects of a kind.
type need struct{ Kind, Path string }

// AFact marks Linked as a fact.
func (*Linked) AFact() {}

// Rename gives the folders of the fact the names that name makes of them.
func (l *Linked) Rename(name func(string) string) {
	l.Dir = name(l.Dir)
	for _, b := range l.Below {
		b.Dir = name(b.Dir)
	}
}

// String is for the tests of facts.
func (l *Linked) String() string {
	text := "for programs:"
	for _, k := range l.Kept {
		text += " " + k.Sub + " at " + k.At.String()
	}
	for _, t := range l.Transforms {
		text += " a transform of " + t.Kind[strings.LastIndexByte(t.Kind, '/')+1:]
	}
	return text
}

// needs are what the object has to have for o to hold; none where it holds in any case.
func (o *one) needs() []need {
	var out []need
	for _, e := range slices.Concat([]sharing.Effect{o.first}, o.later, o.others) {
		n := need{kindOf(e), e.Needs()}
		if n.Kind == "" || n.Path == "" {
			return nil
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// kindOf is the name of the type of the cached object: of the first one on the way to e that is of a type of its own.
func kindOf(e sharing.Effect) (kind string) {
	for v := range e.Values {
		if n := kube.Named(v.Type()); n != nil && kube.IsObject(v.Type()) && !types.IsInterface(n) {
			kind = link.TypeName(n)
		}
	}
	return kind
}

// keep puts off the finding f, which needs something of the object, until programs are put together.
func (l *Linked) keep(pass *analysis.Pass, f rule.Finding, needs []need) {
	if !rule.WantedFor(pass, pass.Analyzer.Name+"/"+f.Sub, f.Pos) {
		return
	}
	k := kept{Needs: needs, At: link.AtOf(pass, f.Pos), Sub: f.Sub, Message: f.Message, Confidence: f.Confidence}
	for _, r := range f.Related {
		k.Related = append(k.Related, beside{link.AtOf(pass, r.Pos), r.Message})
	}
	l.Kept = append(l.Kept, k)
}

// together hands on l, and reports what was kept where a program comes together.
func (l *Linked) together(pass *analysis.Pass) {
	all := map[string]*Linked{}
	for _, f := range pass.AllPackageFacts() {
		if below, ok := f.Fact.(*Linked); ok && f.Package != pass.Pkg {
			for _, b := range append([]*Linked{below}, below.Below...) {
				all[b.Path] = b
			}
		}
	}
	below := slices.SortedFunc(maps.Values(all), func(a, b *Linked) int { return strings.Compare(a.Path, b.Path) })
	l.Path, l.Dir = pass.Pkg.Path(), link.Dir(pass)
	if rule.Active.DirectFacts {
		for _, b := range below {
			alone := *b
			alone.Below = nil
			l.Below = append(l.Below, &alone)
		}
	}
	if len(l.Transforms)+len(l.Kept)+len(l.Below) > 0 {
		pass.ExportPackageFact(l)
	}
	if !link.Program(pass) {
		return
	}
	below = append(below, l)
	dirs, transforms := link.Dirs{}, []sharing.Transform(nil)
	for _, b := range below {
		dirs[b.Path] = b.Dir
		transforms = append(transforms, b.Transforms...)
	}
	for _, b := range below {
		for _, k := range b.Kept {
			if slices.ContainsFunc(k.Needs, func(n need) bool { return !n.isEmpty(transforms) }) {
				k.report(pass, dirs)
			}
		}
	}
}

// isEmpty reports whether some of the transforms leaves nothing of n. Which of several caches an object comes from is not known.
func (n need) isEmpty(transforms []sharing.Transform) bool {
	return slices.ContainsFunc(transforms, func(t sharing.Transform) bool { return t.Kind == n.Kind && t.Empties(n.Path) })
}

func (k *kept) report(pass *analysis.Pass, dirs link.Dirs) {
	f := rule.Finding{Pos: dirs.Pos(pass, k.At), Sub: k.Sub, Message: k.Message, Confidence: k.Confidence, Elsewhere: true}
	if !f.Pos.IsValid() {
		return
	}
	for _, r := range k.Related {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: dirs.Pos(pass, r.At), Message: r.Message})
	}
	rule.Report(pass, f)
}
