package kubeapi

import (
	"slices"
	"strings"
	"testing"
)

func TestParseSymbol(t *testing.T) {
	for text, want := range map[string]Symbol{
		"example.com/m/pkg.Func":             {"example.com/m/pkg", "", "Func"},
		"(example.com/m/pkg.Type).Method":    {"example.com/m/pkg", "Type", "Method"},
		"(*example.com/m/pkg.Type).Method":   {"example.com/m/pkg", "Type", "Method"},
		" os.Open ":                          {"os", "", "Open"},
		"gopkg.in/yaml.v3.Marshal":           {"gopkg.in/yaml.v3", "", "Marshal"},
		"(*gopkg.in/yaml.v3.Decoder).Decode": {"gopkg.in/yaml.v3", "Decoder", "Decode"},
	} {
		if got, err := ParseSymbol(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                      "no package",
		"Func":                  "no package",
		"example.com/m/pkg":     "no package",
		".Func":                 "no package",
		"(a/b.T)":               "no method",
		"(a/b.T).":              `"" is no name`,
		"(T).M":                 "no package",
		"(a/b.T).M()":           `"M()" is no name`,
		"a/b.T=x":               `"T=x" is no name`,
		"a b.F":                 `"a b" is no package`,
		"(a/b.type).M":          `"type" is no type`,
		"example.com/m.T.M.1":   `"1" is no name`,
		"(**example.com/m.T).M": "is no package",
	} {
		if got, err := ParseSymbol(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, error %v, want %q", text, got, err, want)
		}
	}
}

func TestList(t *testing.T) {
	var l List
	const value = "a/b.F,(a/b.T).M"
	if err := l.Set(value); err != nil || l.String() != value || !slices.Contains(l, Symbol{"a/b", "T", "M"}) || slices.Contains(l, Symbol{"a/b", "", "M"}) {
		t.Errorf("got %q, %v", l.String(), err)
	}
	if err := l.Set(""); err != nil || len(l) != 0 {
		t.Errorf("empty: got %q, %v", l.String(), err)
	}
	if err := l.Set("a/b.F,,"); err == nil {
		t.Error("an empty symbol is no error")
	}
}
