package ruletest

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// open can be encoded.
type open struct {
	Names []string
	Sub   *open
}

func (*open) AFact() {}

// closed cannot: gob knows no functions.
type closed struct{ F func() }

func (*closed) AFact() {}

// hidden loses a part of itself.
type hidden struct {
	Name string
	rest string
}

func (*hidden) AFact()           {}
func (h *hidden) String() string { return h.Name + h.rest }

// fickle is encoded in another way each time.
type fickle struct{ times int }

func (*fickle) AFact()                 {}
func (*fickle) String() string         { return "fickle" }
func (*fickle) GobDecode([]byte) error { return nil }

func (f *fickle) GobEncode() ([]byte, error) {
	f.times++
	return make([]byte, f.times), nil
}

func TestRoundTrip(t *testing.T) {
	for _, test := range []struct {
		fact analysis.Fact
		want string
	}{
		{&open{}, ""},
		{&open{Names: []string{"a"}, Sub: &open{Names: []string{"b"}}}, ""},
		{&closed{}, "closed"},
		{&hidden{Name: "a"}, ""},
		{&hidden{Name: "a", rest: "b"}, `is "ab", and once decoded "a"`},
		{&fickle{}, "has other bytes each time"},
	} {
		err := RoundTrip(test.fact)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%T: got error %v, want %q", test.fact, err, test.want)
		}
	}
}

// The facts of objects and of packages are all tried.
func TestRoundTripOfPackage(t *testing.T) {
	lossy := &analysis.Analyzer{Name: "lossy", Doc: "lose something", FactTypes: []analysis.Fact{(*hidden)(nil)}, Run: func(pass *analysis.Pass) (any, error) {
		pass.ExportPackageFact(&hidden{"package", "lost"})
		if u := pass.Pkg.Scope().Lookup("U"); u != nil {
			pass.ExportObjectFact(u, &hidden{"object", "lost"})
		}
		return nil, nil
	}}
	dir := module(t, "package p\n")
	var r recorder
	run(&r, dir, lossy, false, "p/...")
	if len(r.errors) != 2 || !strings.Contains(r.errors[0], `fact of U: *ruletest.hidden is "objectlost"`) || !strings.Contains(r.errors[1], `fact of the package: *ruletest.hidden is "packagelost"`) {
		t.Errorf("got %q, want an error about each fact", r.errors)
	}
}
