package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/markers"
)

// The list has all words of the newest version of controller-tools that it names, whose controller-gen
// TestControllerGen of `make e2e` runs.
func TestNewest(t *testing.T) {
	list, err := os.ReadFile("../words.txt")
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(list), "\n")
	var downloaded struct{ Dir string }
	if err := goCommand(&downloaded, "mod", "download", "-json", module+"@"+header[strings.LastIndex(header, " ")+1:]); err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	if err := collect(downloaded.Dir, words); err != nil {
		t.Fatal(err)
	}
	if len(words) < 50 {
		t.Errorf("%s has %d words only: it registers them in another way", downloaded.Dir, len(words))
	}
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if !(markers.Marker{Text: "+" + w}).Known() {
			t.Errorf("%s knows %s, and words.txt does not: run go generate ./internal/markers", downloaded.Dir, w)
		}
	}
}
