package rule

import (
	"strings"
	"testing"
)

func TestExtractDoc(t *testing.T) {
	const page = "// Package x is about x.\n//\n// # Analyzer x\n//\n// x: find x\n//\n// More.\n//\n// # part\n//\n// Text.\n//\n// # Analyzer y\n//\n// y: find y\npackage x\n"
	got, err := extractDoc(page, "x")
	if want := "find x\n\nMore.\n\n# part\n\nText."; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, err := extractDoc("// Analyzer x: find x\n//\n// More.\npackage x\n", "x"); err != nil || got != "find x\n\nMore." {
		t.Errorf("heading in one line: got %q, %v", got, err)
	}
	for content, want := range map[string]string{
		"package x":                "no package comment",
		"// Package x.\npackage x": "no heading",
		"// # Analyzer x\n//\n// find x\npackage x":     "is not followed by",
		"// # Analyzer xy\n//\n// xy: find\npackage xy": "no heading",
	} {
		if _, err := extractDoc(content, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", content, err, want)
		}
	}
}
