package apimarkers

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/markers"
)

// openWords are the markers of types and fields whose schema says nothing, or not everything, of what is in them.
var openWords = []string{
	"kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XPreserveUnknownFields", "kubebuilder:validation:Schemaless",
	"kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource",
}

// noteOpen keeps in mind that decl has one of openWords.
func (c *checker) noteOpen(decl markers.Decl) {
	if !slices.ContainsFunc(decl.Lines, func(m markers.Marker) bool { return slices.ContainsFunc(openWords, m.Is) }) {
		return
	}
	if decl.Field == nil {
		c.open[c.pass.TypesInfo.Defs[decl.Type.Name]] = true
		return
	}
	ast.Inspect(decl.Field, func(n ast.Node) bool { // an embedded field has its name in its type
		if id, ok := n.(*ast.Ident); ok && c.pass.TypesInfo.Defs[id] != nil {
			c.open[c.pass.TypesInfo.Defs[id]] = true
		}
		return true
	})
}

// codecs are methods of types whose JSON is not that of their fields.
var codecs = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "OpenAPISchemaType"}

// fieldsOf returns the fields of the JSON object that a value of struct type t becomes, by their names, as
// encoding/json names them; those of inlined structs, too. It is not ok if there may be others: t is no struct or is
// empty, has its own encoding, is an object's metadata, or keeps unknown fields.
func (c *checker) fieldsOf(t types.Type) (fields map[string]*types.Var, ok bool) {
	fields = map[string]*types.Var{}
	return fields, c.addFields(fields, t, map[types.Type]bool{}) && len(fields) > 0
}

func (c *checker) addFields(fields map[string]*types.Var, t types.Type, seen map[types.Type]bool) bool {
	t = flow.Pointee(t)
	st, ok := t.Underlying().(*types.Struct)
	if seen[t] {
		return true
	}
	seen[t] = true
	if !ok || kubeapi.IsObjectMeta(t) || c.encodesItself(t) {
		return false
	}
	if named := kubeapi.Named(t); named != nil && c.open[named.Obj()] {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		json := kubeapi.JSONOf(f, st.Tag(i))
		if json.Inline && (!c.addFields(fields, f.Type(), seen) || c.open[f]) {
			return false
		}
		if json.Name != "" {
			fields[json.Name] = f
		}
	}
	return true
}

// encodesItself reports whether t has a method that makes its JSON, or its schema.
func (c *checker) encodesItself(t types.Type) bool {
	for _, name := range codecs {
		if m, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, name); m != nil {
			return true
		}
	}
	return false
}
