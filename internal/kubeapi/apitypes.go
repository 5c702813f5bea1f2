package kubeapi

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/words"
)

// HasOrder reports whether f is a list of objects of the cluster, or text of built-in kinds or annotations: another
// order of it is another object. The texts of conditions, of the status and of Events are for people.
func HasOrder(owner *types.Named, f *types.Var) bool {
	if IsEventObject(owner) {
		return false
	}
	switch u := f.Type().Underlying().(type) {
	case *types.Slice:
		basic, ok := u.Elem().Underlying().(*types.Basic)
		return !(ok && basic.Kind() == types.Byte) && InJSON(owner, f) && OfObjects(owner)
	case *types.Basic:
		return flow.IsString(u) && IsBuiltin(owner) && !words.Has(owner.Obj().Name(), "condition", "status") && OfObjects(owner)
	case *types.Map:
		return HasData(owner) && IsData(f) || IsObjectMeta(owner) && f.Name() == string(MetaAnnotations)
	}
	return false
}

// OfObjects reports whether objects of a kind that the package of n declares are made of the struct n, too.
func OfObjects(n *types.Named) bool {
	pkg := n.Obj().Pkg()
	if pkg == nil {
		return false
	}
	reached := map[*types.TypeName]bool{}
	for _, name := range pkg.Scope().Names() {
		if kind, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !kind.IsAlias() && IsObject(types.NewPointer(kind.Type())) {
			reach(kind.Type(), reached)
		}
	}
	return reached[n.Obj()]
}

// reach adds the defined types that t is made of.
func reach(t types.Type, reached map[*types.TypeName]bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !reached[t.Obj()] {
			reached[t.Obj()] = true
			reach(t.Underlying(), reached)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && !IsObjectMeta(f.Type()) {
				reach(f.Type(), reached)
			}
		}
	case interface{ Elem() types.Type }:
		reach(t.Elem(), reached)
	}
}

// A JSONField is what the JSON of a struct has for one of its fields.
type JSONField struct {
	Name    string // empty for none
	Inline  bool   // the fields of the field's type stand in its place
	Omitted bool   // the empty value is left out
	Tagged  bool   // the struct says so; controller-gen refuses API types with a field without a tag
}

// JSONOf returns what encoding/json makes of the field f with that tag. The option inline, which it does not know, means
// what it does to controller-gen.
func JSONOf(f *types.Var, tag string) JSONField {
	tag, tagged := reflect.StructTag(tag).Lookup("json")
	name, options, _ := strings.Cut(tag, ",")
	inline := slices.Contains(strings.Split(options, ","), "inline") || f.Embedded() && name == ""
	switch {
	case tag == "-" || !f.Exported() && !inline:
		return JSONField{Tagged: tagged}
	case inline:
		return JSONField{Inline: true, Tagged: tagged}
	}
	return JSONField{Name: cmp.Or(name, f.Name()), Omitted: strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"), Tagged: tagged}
}

// InJSON reports whether f is a field of the struct n that its JSON has, by its tag.
func InJSON(n *types.Named, f *types.Var) bool {
	st, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if st.Field(i).Origin() == f.Origin() {
			json := JSONOf(st.Field(i), st.Tag(i))
			return json.Tagged && (json.Name != "" || json.Inline)
		}
	}
	return false
}

// AnnotationsOf is the field with the annotations of objects of type t, and the type that has it; nil where it is not known.
func AnnotationsOf(t types.Type) (*types.Named, *types.Var) {
	if meta := fieldOf(t, ObjectMeta); meta != nil {
		t = meta.Type()
	}
	if !IsObjectMeta(t) {
		return nil, nil
	}
	return Named(t), fieldOf(t, string(MetaAnnotations))
}

func fieldOf(t types.Type, name string) *types.Var {
	st, ok := flow.Pointee(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// StatusOf is the field with the status of objects of type t, SpecOf that with their spec; nil for none.
func StatusOf(t types.Type) *types.Var { return fieldOf(t, Status) }

// SpecOf is described with StatusOf.
func SpecOf(t types.Type) *types.Var { return fieldOf(t, "Spec") }

// SpecTypes returns the structs that the specs of the kinds of pkg are made of, as far as in is true of their packages.
// Own has the names of the specs themselves.
func SpecTypes(pkg *types.Package, in func(*types.Package) bool) (all []*types.TypeName, own map[string]bool) {
	own = map[string]bool{}
	seen := map[*types.TypeName]bool{}
	var add func(t types.Type)
	add = func(t types.Type) {
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			if n := t.Obj(); !seen[n] && n.Pkg() != nil && in(n.Pkg()) {
				seen[n], all = true, append(all, n)
				add(t.Underlying())
			}
		case *types.Struct:
			for f := range t.Fields() {
				if f.Exported() && !IsObjectMeta(f.Type()) {
					add(f.Type())
				}
			}
		case interface{ Elem() types.Type }:
			add(t.Elem())
		}
	}
	for _, name := range pkg.Scope().Names() {
		kind, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || kind.IsAlias() || fieldOf(kind.Type(), ObjectMeta) == nil || !IsObject(types.NewPointer(kind.Type())) {
			continue
		}
		if spec := SpecOf(kind.Type()); spec != nil {
			add(spec.Type())
			if n := Named(spec.Type()); n != nil && n.Obj().Pkg() == pkg {
				own[n.Obj().Name()] = true
			}
		}
	}
	return all, own
}
