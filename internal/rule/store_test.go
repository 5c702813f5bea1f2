package rule

import (
	"reflect"
	"strings"
	"testing"
)

func TestStores(t *testing.T) {
	var l Stores
	const value = "a.io/b.T:expect=Raise,observe=Lower,observe=Drop,satisfied=Done;c.U:expect=E,satisfied=S,delete=D"
	want := Stores{
		{Type: "a.io/b.T", Expect: []string{"Raise"}, Observe: []string{"Lower", "Drop"}, Satisfied: []string{"Done"}},
		{Type: "c.U", Expect: []string{"E"}, Satisfied: []string{"S"}, Delete: []string{"D"}},
	}
	if err := l.Set(value); err != nil || !reflect.DeepEqual(l, want) {
		t.Fatalf("got %+v, %v", l, err)
	}
	if got := l.String(); got != value {
		t.Errorf("String gives %q, want %q", got, value)
	}
	if s := l.Named("a.io/b", "T"); s == nil || s.Does("Drop") != "observe" || s.Does("Done") != "satisfied" || s.Does("Get") != "" {
		t.Errorf("a.io/b.T is %+v", s)
	}
	if s := l.Named("a.io/b", "U"); s != nil {
		t.Errorf("a.io/b.U is %+v", s)
	}
	if err := l.Set(""); err != nil || l != nil {
		t.Errorf("empty: got %+v, %v", l, err)
	}
}

func TestStoresErrors(t *testing.T) {
	for value, want := range map[string]string{
		"T:expect=E":                                   `"T" is not a type of a package`,
		"(*a.T):expect=E":                              "is not a type of a package",
		"a.T":                                          `"" is none of expect, observe, satisfied, delete`,
		"a.T:expects=E":                                `"expects" is none of`,
		"a.T:expect=":                                  `"" is not a method`,
		"a.T:expect=E,observe=E,satisfied=S":           "E is named twice",
		"a.T:expect=E,satisfied=S":                     "it needs a method",
		"a.T:expect=E,observe=O":                       "it needs a method",
		"a.T:expect=E,observe=O,satisfied=S;":          `"" is not a type of a package`,
		"a.T:expect=E,observe=O,satisfied=S,a.U:x=y":   `"a.U:x" is none of`,
		"a.T:expect=E|F,observe=O,satisfied=S":         `"E|F" is not a method`,
		"a.T:expect=E,observe=O,satisfied=S,delete=D ": "", // blanks around a store are nothing
	} {
		err := new(Stores).Set(value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got error %v, want %q", value, err, want)
		}
	}
}
