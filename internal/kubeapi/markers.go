package kubeapi

import (
	"go/types"
	"reflect"
	"strings"
)

// A Marker says what a marker comment of an API type means for whether a field is there.
type Marker uint8

// What markers say.
const (
	NoMarker Marker = iota
	OptionalMarker
	PresentMarker // the field is required, or has a default
	UnionMarker   // which fields are there depends on others, or on their number
)

// markers are the words of controller-gen, of the generators of Kubernetes and of its declarative validation.
var markers = map[string]Marker{
	"optional": OptionalMarker, "k8s:optional": OptionalMarker, "kubebuilder:validation:Optional": OptionalMarker,
	"required": PresentMarker, "k8s:required": PresentMarker, "kubebuilder:validation:Required": PresentMarker,
	"default": PresentMarker, "k8s:default": PresentMarker, "kubebuilder:default": PresentMarker,
	"union": UnionMarker, "unionDiscriminator": UnionMarker, "k8s:unionMember": UnionMarker,
	"k8s:unionDiscriminator": UnionMarker, "kubebuilder:validation:MinProperties": UnionMarker,
	"kubebuilder:validation:MaxProperties": UnionMarker, "kubebuilder:validation:ExactlyOneOf": UnionMarker,
	"kubebuilder:validation:AtLeastOneOf": UnionMarker, "kubebuilder:validation:AtMostOneOf": UnionMarker,
}

// MarkerOf returns what the line of a comment, without its slashes, means.
func MarkerOf(line string) Marker {
	name, _ := markerName(line)
	return markers[name]
}

func markerName(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimSpace(line), "+")
	if i := strings.IndexAny(name, "= ("); i >= 0 {
		name = name[:i]
	}
	if !ok {
		return "", false
	}
	return strings.TrimSuffix(name, ":"), true
}

// NamesFields reports whether the line of a comment is a marker whose text may name fields: a CEL rule, a list of
// fields, the default of a struct, or a pattern that the schema is given as text.
func NamesFields(line string) bool {
	name, ok := markerName(line)
	return ok && (MarkerOf(line) == UnionMarker || MarkerOf(line) == PresentMarker || strings.HasPrefix(name, "kubebuilder:validation:XValidation") ||
		strings.HasPrefix(name, "kubebuilder:validation:Schema"))
}

// EnumOf returns the values that the line of a comment allows, if it is the marker of an enum.
func EnumOf(line string) []string {
	name, ok := markerName(line)
	_, list, found := strings.Cut(line, "=")
	if !ok || !found || !strings.HasPrefix(name, "kubebuilder:validation:Enum") {
		return nil
	}
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(`;,{}" `, r) })
}

// JSONName returns the name in JSON that a struct tag gives a field, "" for none, and whether the empty value is left
// out.
func JSONName(tag string) (name string, omitted bool) {
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return strings.TrimSuffix(name, "-"), strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}

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
