package kubeapi

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Properties of objects by which the API server selects them, as field selectors name them; labels are "label KEY".
const (
	ByName      = "metadata.name"
	ByNamespace = "metadata.namespace"
	ByNode      = "spec.nodeName" // of Pods
	ByLabel     = "label "
)

// PropertyOf returns the property of obj that v reads, of those by which the API server selects objects; "" for other
// values.
func PropertyOf(v ssa.Value) (property string, obj ssa.Value) {
	v = flow.Resolve(v)
	if lookup, ok := v.(*ssa.Lookup); ok {
		key, isText := flow.Text(lookup.Index)
		if field, obj := MetaRead(flow.Resolve(lookup.X)); isText && field == MetaLabels {
			return ByLabel + key, obj
		}
		return "", nil
	}
	switch field, obj := MetaRead(v); field {
	case MetaName:
		return ByName, obj
	case MetaNamespace:
		return ByNamespace, obj
	}
	fa := flow.LoadedFrom(v)
	if fa == nil || !IsType(fa.X.Type(), coreV1, "PodSpec") || flow.Field(fa.X.Type(), fa.Field).Name() != "NodeName" {
		return "", nil
	}
	if spec, ok := fa.X.(*ssa.FieldAddr); ok && isCore(Named(spec.X.Type()), "Pod") {
		return ByNode, spec.X
	}
	return "", nil
}

// ObjectOfEvent returns the event that v, an object, is of; nil if it is not read from one.
func ObjectOfEvent(v ssa.Value) ssa.Value {
	if f, ok := v.(*ssa.Field); ok && IsEvent(f.X.Type(), "") {
		return f.X
	}
	fa := flow.LoadedFrom(v)
	if fa == nil || !IsEvent(fa.X.Type(), "") {
		return nil
	}
	if _, ok := EventObject(flow.Field(fa.X.Type(), fa.Field).Name()); !ok {
		return nil
	}
	return flow.PathOf(fa.X).Root
}

// InObject reports whether fa is the address of a part of an object of the cluster.
func InObject(fa *ssa.FieldAddr) bool {
	for fa != nil {
		if IsObject(fa.X.Type()) {
			return true
		}
		outer, ok := fa.X.(*ssa.FieldAddr)
		if !ok {
			outer = flow.LoadedFrom(fa.X)
		}
		fa = outer
	}
	return false
}

// ReadsEnvironment reports whether call reads a variable of the environment, which its first argument names.
func ReadsEnvironment(call *ssa.CallCommon) bool {
	callee := flow.Callee(call)
	return Symbol{Pkg: "os", Name: "Getenv"}.Is(callee) || Symbol{Pkg: "os", Name: "LookupEnv"}.Is(callee)
}

// Selected returns the properties by which an option of a list request selects objects, with their values; nil for one
// that only has to exist.
func Selected(option ssa.Value) map[string]ssa.Value {
	out, v, prefix := map[string]ssa.Value{}, flow.Unwrap(option), ""
	switch NameIn(v.Type(), Client) {
	case "HasLabels":
		for _, e := range flow.Elements(v) {
			if key, ok := flow.Text(e); ok {
				out[ByLabel+key] = nil
			}
		}
	case "MatchingLabels":
		prefix = ByLabel
		fallthrough
	case "MatchingFields":
		for update := range flow.Referrers[*ssa.MapUpdate](flow.Resolve(v)) {
			if key, ok := flow.Text(update.Key); ok {
				out[prefix+key] = update.Value
			}
		}
	}
	return out
}
