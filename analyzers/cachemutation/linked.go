package cachemutation

import (
	"go/types"
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
// write: so such findings are kept until all packages of a program are in sight. So are those about what a function does to an object that its callers
// in other packages may not look at any more.

// Linked is the fact of a package: what it takes a program to judge, and what there is to judge that by.
type Linked struct {
	link.Unit[Linked]
	Transforms []sharing.Transform
	Kept       []kept
	Halves     []keptHalf
	Uses       []sharing.Use // of doors of packages below
	Readers    []sharing.Reader
}

// A keptHalf is a finding that holds where somebody looks at what is given to one of the doors.
type keptHalf struct {
	Doors []sharing.Door
	link.Kept
}

// A kept is a finding that holds in a program where the object has something at one of the places that it needs, if there are such, and where others
// than the one who writes to it see it, if he is named.
type kept struct {
	Needs []need
	Only  *sharing.Reader
	link.Kept
}

// A need is the path of a field of the objects of a kind.
type need struct{ Kind, Path string }

// AFact marks Linked as a fact.
func (*Linked) AFact() {}

// String is for the tests of facts.
func (l *Linked) String() string {
	text := "for programs:"
	for _, k := range l.Kept {
		text += " " + k.Sub + " at " + k.At.String()
	}
	for _, h := range l.Halves {
		text += " " + h.Sub + " at " + h.At.String()
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

// objectOf is the type of the cached object, the first one on the way to e that is of a type of its own; nil where none is.
func objectOf(e sharing.Effect) (kind *types.Named) {
	for v := range e.Values {
		if n := kube.Named(v.Type()); n != nil && kube.IsObject(v.Type()) && !types.IsInterface(n) {
			kind = n
		}
	}
	return kind
}

// kindOf is the name of that type.
func kindOf(e sharing.Effect) string {
	if kind := objectOf(e); kind != nil {
		return link.TypeName(kind)
	}
	return ""
}

// keep puts off the finding f, which needs something of the object or others who see it, until programs are put together.
func (l *Linked) keep(pass *analysis.Pass, f rule.Finding, needs []need, only *sharing.Reader) {
	if k, ok := link.Keep(pass, f); ok {
		l.Kept = append(l.Kept, kept{needs, only, k})
	}
}

// keepHalf puts off the finding f, which the callers of doors decide about.
func (l *Linked) keepHalf(pass *analysis.Pass, f rule.Finding, doors []sharing.Door) {
	if k, ok := link.Keep(pass, f); ok {
		l.Halves = append(l.Halves, keptHalf{doors, k})
	}
}

// use notes what the package of shared does with the doors of the packages below.
func (l *Linked) use(shared *sharing.Sharing, below []*Linked) {
	var doors []sharing.Door
	for _, b := range below {
		for _, h := range b.Halves {
			doors = append(doors, h.Doors...)
		}
		for _, u := range b.Uses {
			doors = append(doors, u.Doors...)
		}
	}
	l.Uses = shared.Uses(link.ByFunc(doors, func(d sharing.Door) string { return d.Func }))
}

// together hands on l, and reports what was kept where a program comes together with all that is below. The package has no shared where it has nothing to do with a cluster.
func (l *Linked) together(pass *analysis.Pass, shared *sharing.Sharing, all []*Linked) {
	if shared != nil {
		l.use(shared, all)
	}
	if len(l.Transforms)+len(l.Kept)+len(l.Halves)+len(l.Uses)+len(l.Readers) > 0 || rule.Active.DirectFacts && len(all) > 0 {
		link.HandOn(pass, l, all)
	}
	if !link.Program(pass) {
		return
	}
	all = append(all, l)
	var transforms []sharing.Transform
	var readers []sharing.Reader
	uses := map[sharing.Door][]sharing.Use{}
	for _, b := range all {
		transforms = append(transforms, b.Transforms...)
		readers = append(readers, b.Readers...)
		for _, u := range b.Uses {
			uses[u.Of] = append(uses[u.Of], u)
		}
	}
	library := pass.Pkg.Path() == link.Libraries
	dirs := link.DirsOf(all)
	for _, b := range all {
		for _, k := range b.Kept {
			if link.Judges(pass, b.Path) && k.hasNeeds(transforms) && (library || k.isSeen(readers)) {
				k.Report(pass, dirs)
			}
		}
		for _, h := range b.Halves {
			if link.Judges(pass, b.Path) && slices.ContainsFunc(h.Doors, func(d sharing.Door) bool { return isSeen(d, uses, library, map[sharing.Door]bool{}) }) {
				h.Report(pass, dirs)
			}
		}
	}
}

// isSeen reports whether somebody looks at what is given to d, by the uses of a program. Who calls what a library has is taken to do so.
func isSeen(d sharing.Door, uses map[sharing.Door][]sharing.Use, library bool, asked map[sharing.Door]bool) bool {
	if asked[d] {
		return false
	}
	asked[d] = true
	if len(uses[d]) == 0 {
		return library
	}
	return slices.ContainsFunc(uses[d], func(u sharing.Use) bool {
		return u.Seen || slices.ContainsFunc(u.Doors, func(d sharing.Door) bool { return isSeen(d, uses, library, asked) })
	})
}

// hasNeeds reports whether the object has something at one of the places that k needs.
func (k *kept) hasNeeds(transforms []sharing.Transform) bool {
	return len(k.Needs) == 0 || slices.ContainsFunc(k.Needs, func(n need) bool { return !n.isEmpty(transforms) })
}

// isSeen reports whether others see what k tells of than the one who writes to it.
func (k *kept) isSeen(readers []sharing.Reader) bool {
	return k.Only == nil || slices.ContainsFunc(readers, func(r sharing.Reader) bool { return r.Sees(*k.Only) })
}

// isEmpty reports whether some of the transforms leaves nothing of n. Which of several caches an object comes from is not known.
func (n need) isEmpty(transforms []sharing.Transform) bool {
	return slices.ContainsFunc(transforms, func(t sharing.Transform) bool { return t.Kind == n.Kind && t.Empties(n.Path) })
}
