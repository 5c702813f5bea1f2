package markers_test

import (
	"go/parser"
	"go/token"
	"reflect"
	"testing"

	"github.com/ctrllint/ctrllint/internal/markers"
)

const source = `// Package p is documented.
// +groupName=example.com
package p

// +unattached

// +above:a=1

// A is a type.
// +doc:a
type A struct {
	// +free

	// X is a field.
	// +x
	X int // +trailing
	// +y
	Y, Z int
	/* +block */
	W int
}

func f() {
	// +inside
}

type (
	// +b
	B int

	// +c

	C = B // +trailing
	D int
)

type E int // +trailing

type F int
`

// A line belongs to the type or field below it, as for controller-gen.
func TestTypes(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	note := func(name string, d markers.Decl) {
		got[name] = nil
		for _, m := range d.Lines {
			if begin, end := fset.Position(m.Pos).Offset, fset.Position(m.End()).Offset; source[begin:end] != m.Text {
				t.Errorf("%s is at %s", m.Text, source[begin:end])
			}
			if w := m.Word(); w != "" {
				got[name] = append(got[name], w)
			}
		}
	}
	for _, d := range markers.Types(file) {
		note(d.Type.Name.Name, d)
		for _, f := range d.Fields {
			note(d.Type.Name.Name+"."+f.Field.Names[0].Name, f)
		}
	}
	want := map[string][]string{
		"A": {"above:a", "doc:a"}, "A.X": {"free", "x"}, "A.Y": {"y"}, "A.W": nil, "B": {"b"}, "C": {"c"}, "D": nil, "E": nil, "F": nil,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMeaning(t *testing.T) {
	for text, want := range map[string]markers.Meaning{
		"+optional": markers.Optional, "+optional, as it were": markers.Other, "+optional (always)": markers.Optional, "optional": markers.Other,
		"+kubebuilder:default:=1": markers.Present, "+k8s:unionMember(union: \"a\")": markers.Union, "+listType=map": markers.Other,
	} {
		if got := (markers.Marker{Text: text}).Meaning(); got != want {
			t.Errorf("%s means %d, want %d", text, got, want)
		}
	}
}

func TestEnum(t *testing.T) {
	for text, want := range map[string][]string{
		"+kubebuilder:validation:Enum=A;b ; \"c;d\";\"\"": {"A", "b", "c;d", ""}, "+kubebuilder:validation:Enum:={a, `b`}": {"a", "b"},
		"+kubebuilder:validation:Enum": nil, "=a": nil, "+kubebuilder:validation:items:Enum=a": nil, "+kubebuilder:validation:Enumeration=a": nil,
	} {
		if got := (markers.Marker{Text: text}).Enum(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s allows %q, want %q", text, got, want)
		}
	}
}

func TestArgs(t *testing.T) {
	m := markers.Marker{Pos: 100, Text: "+a:b:x=\"1,2\",y=`\"`,z=a[?(@.b==\"c\")].d,w=\"\\\"\""}
	if !m.Is("a:b") || m.Is("a:bb") || m.Is("a:b:xx") || m.Word() != "a:b:x" {
		t.Errorf("%s is another one", m.Text)
	}
	args := m.Args("a:b")
	for name, want := range map[string]string{"x": "1,2", "y": `"`, "z": `a[?(@.b=="c")].d`, "w": `"`} {
		a := args[name]
		if a.Value != want {
			t.Errorf("%s is %q, want %q", name, a.Value, want)
		}
		if text := m.Text[a.Pos-m.Pos : a.End-m.Pos]; a.Exact != (text == want) {
			t.Errorf("%s is %q at its place", name, text)
		}
	}
	if args := (markers.Marker{Text: "+a:b"}).Args("a:b"); len(args) > 0 {
		t.Errorf("%v of a marker without arguments", args)
	}
}

func TestList(t *testing.T) {
	m := markers.Marker{Text: `+a:groups="";apps;"x,y",names={"b,c", d},verbs= get;list ,none=,one=e,"open`}
	args := m.Args("a")
	for name, want := range map[string][]string{
		"groups": {"", "apps", "x,y"}, "names": {"b,c", "d"}, "verbs": {"get", "list"}, "none": nil, "one": {"e"}, "absent": nil,
	} {
		if got := args[name].List(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestKnown(t *testing.T) {
	for word, want := range map[string]bool{
		"kubebuilder:validation:Minimum": true, "kubebuilder:validation:items:items:Minimum": true, "kubebuilder:printcolumn:name=a": true,
		"kubebuilder:default:=1": true, "kubebuilder:default:1": false, "kubebuilder:validation:ExactlyOneOf": true,
		"kubebuilder:validation:minimum": false, "kubebuilder:validation:Items:Minimum": false, "kubebuilder:validation": false,
	} {
		if (markers.Marker{Text: "+" + word}).Known() != want {
			t.Errorf("%s: want %v", word, want)
		}
	}
}
