package matrix

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Build{
		"linux/amd64": {GOOS: "linux", GOARCH: "amd64"},
		"tags=e2e":    {Tags: []string{"e2e"}},
		"cgo=off":     {Cgo: "0"},
		"host":        {},
		"windows/arm64+tags=e2e+tags=go1.26+cgo=on": {GOOS: "windows", GOARCH: "arm64", Tags: []string{"e2e", "go1.26"}, Cgo: "1"},
	} {
		want.Name = text
		if got, err := Parse(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                        `"" is no part of a build`,
		"linux":                   `"linux" is no part`,
		"linux/":                  `"linux/" is no new platform`,
		"linux/amd64/v3":          "is no new platform",
		"linux/amd64+linux/arm64": "is no new platform",
		"tags=":                   `"" is no new tag`,
		"tags=a+tags=a":           `"a" is no new tag`,
		"tags=a b":                "is no new tag",
		"cgo=1":                   "cgo is on or off",
		"cgo=on+cgo=off":          "cgo appears twice",
		"race=on":                 `"race=on" is no part`,
		"host+tags=a":             `"host" is no part`,
	} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, error %v, want %q", text, got, err, want)
		}
	}
}

func TestBuilds(t *testing.T) {
	var b Builds
	const value = "linux/amd64,windows/amd64+cgo=off,tags=e2e+tags=slow"
	if err := b.Set(value); err != nil || b.String() != value || len(b) != 3 {
		t.Fatalf("got %q, %v", b.String(), err)
	}
	if got, want := b[1].Env(), []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}; !reflect.DeepEqual(got, want) {
		t.Errorf("environment %q, want %q", got, want)
	}
	if got := b[2].Env(); got != nil {
		t.Errorf("environment %q, want none", got)
	}
	for _, test := range []struct{ tags, first, last string }{{"", "", "e2e,slow"}, {"a,b", "a,b", "a,b,e2e,slow"}} {
		if first, last := b[0].AllTags(test.tags), b[2].AllTags(test.tags); first != test.first || last != test.last {
			t.Errorf("with tags %q: %q and %q, want %q and %q", test.tags, first, last, test.first, test.last)
		}
	}
	if err := b.Set("tags=a,tags=a"); err == nil || !strings.Contains(err.Error(), "appears twice") {
		t.Errorf("the same build twice: got error %v", err)
	}
	if err := b.Set(""); err != nil || b != nil {
		t.Errorf("empty: got %q, %v", b.String(), err)
	}
}
