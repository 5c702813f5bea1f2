package passes

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// factKey names a fact. Without an object, it is one of the package.
type factKey struct {
	pkg *types.Package
	obj types.Object
	typ reflect.Type
}

// Facts are the facts of packages that were analysed before, in this run or an earlier one. Those of a package are
// decoded at the first request.
type Facts struct {
	mu   sync.Mutex
	sets map[*types.Package]*set
}

// set is the facts of one package.
type set struct {
	once    sync.Once
	pkg     *types.Package
	encoded []byte
	name    func(string) string // of files that the facts have; nil for the same ones

	facts   map[factKey]analysis.Fact
	ordered []factKey // objects first
}

func newFacts() *Facts { return &Facts{sets: make(map[*types.Package]*set)} }

// A Renamer is a fact with names of files, which Rename replaces.
type Renamer interface {
	Rename(name func(string) string)
}

// Provide adds the facts of pkg, as [Exported.Encode] returned them for it or a copy of it. Name, unless it is nil,
// renames the files in them.
func (f *Facts) Provide(pkg *types.Package, encoded []byte, name func(string) string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sets[pkg] == nil {
		f.sets[pkg] = &set{pkg: pkg, encoded: encoded, name: name}
	}
}

var none = new(set)

// of returns the facts of pkg.
func (f *Facts) of(pkg *types.Package) *set {
	f.mu.Lock()
	s := f.sets[pkg]
	f.mu.Unlock()
	if s == nil {
		return none
	}
	s.once.Do(s.decode)
	return s
}

// encodedFact is a fact without its package. Object is empty for one of the package itself.
type encodedFact struct {
	Object objectpath.Path
	Fact   analysis.Fact
}

// register registers the type of f with gob. gob numbers types in the order in which a process first encodes them:
// with one of each encoded here, the bytes of facts do not depend on the order of packages.
func register(f analysis.Fact) {
	gob.Register(f)
	empty, _ := reflect.New(reflect.TypeOf(f).Elem()).Interface().(analysis.Fact)
	// That a type cannot be encoded is reported when it is used.
	_ = gob.NewEncoder(io.Discard).Encode([]encodedFact{{Fact: empty}})
}

// decode fills s. Facts of objects that importing packages cannot see are left out.
func (s *set) decode() {
	s.facts = make(map[factKey]analysis.Fact)
	if len(s.encoded) == 0 {
		return
	}
	var all []encodedFact
	if err := gob.NewDecoder(bytes.NewReader(s.encoded)).Decode(&all); err != nil {
		// The store checks sums, and its keys have the identity of the program.
		panic(fmt.Sprintf("facts of %s: %v", s.pkg.Path(), err))
	}
	s.encoded = nil
	for _, f := range all {
		key := factKey{s.pkg, nil, reflect.TypeOf(f.Fact)}
		if f.Object != "" {
			obj, err := objectpath.Object(s.pkg, f.Object)
			if err != nil {
				continue
			}
			key.obj = obj
		}
		if r, ok := f.Fact.(Renamer); ok && s.name != nil {
			r.Rename(s.name)
		}
		s.facts[key] = f.Fact
		s.ordered = append(s.ordered, key)
	}
}

// add adds the wanted facts of packages, or those of objects, unless the list is nil.
func (k factKey) add(f analysis.Fact, wanted map[reflect.Type]bool, pkgs *[]analysis.PackageFact, objects *[]analysis.ObjectFact) {
	switch {
	case !wanted[k.typ]:
	case k.obj == nil && pkgs != nil:
		*pkgs = append(*pkgs, analysis.PackageFact{Package: k.pkg, Fact: f})
	case k.obj != nil && objects != nil:
		*objects = append(*objects, analysis.ObjectFact{Object: k.obj, Fact: f})
	}
}

// Exported are the facts that the analysis of one package exports.
type Exported struct {
	pkg   *types.Package
	facts map[factKey]analysis.Fact
}

// object adds a fact of an object of the package. It panics if the object belongs to another one, as x/tools' drivers
// do.
func (e *Exported) object(obj types.Object, fact analysis.Fact) {
	if obj.Pkg() != e.pkg {
		panic(fmt.Sprintf("a fact of %v, which belongs to another package than %s", obj, e.pkg.Path()))
	}
	e.facts[factKey{e.pkg, obj, reflect.TypeOf(fact)}] = fact
}

func (e *Exported) ofPackage(fact analysis.Fact) {
	e.facts[factKey{e.pkg, nil, reflect.TypeOf(fact)}] = fact
}

// Objects returns the facts of objects, in no particular order.
func (e *Exported) Objects() []analysis.ObjectFact {
	var all []analysis.ObjectFact
	for k, f := range e.facts {
		if k.obj != nil {
			all = append(all, analysis.ObjectFact{Object: k.obj, Fact: f})
		}
	}
	return all
}

// Package returns the facts of the package itself, in no particular order.
func (e *Exported) Package() []analysis.Fact {
	var all []analysis.Fact
	for k, f := range e.facts {
		if k.obj == nil {
			all = append(all, f)
		}
	}
	return all
}

// Encode encodes the facts for [Facts.Provide], the same bytes for the same facts. Name, unless it is nil, renames
// the files in them. Facts of objects that no importing package can see are left out.
func (e *Exported) Encode(name func(string) string) ([]byte, error) {
	var all []encodedFact
	encoder := new(objectpath.Encoder)
	for k, f := range e.facts {
		if r, ok := f.(Renamer); ok && name != nil {
			r.Rename(name)
		}
		if k.obj == nil {
			all = append(all, encodedFact{Fact: f})
			continue
		}
		if k.obj.Parent() == e.pkg.Scope() && !k.obj.Exported() {
			continue
		}
		path, err := encoder.For(k.obj)
		if err != nil {
			continue
		}
		all = append(all, encodedFact{path, f})
	}
	if all == nil {
		return nil, nil
	}
	slices.SortFunc(all, func(a, b encodedFact) int {
		return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(fmt.Sprintf("%T", a.Fact), fmt.Sprintf("%T", b.Fact)))
	})
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(all); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
