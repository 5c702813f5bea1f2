package main

import (
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/markers"
)

// The list has all words of the newest version of controller-tools that is in the module cache.
func TestNewest(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(modCache(t), filepath.FromSlash(module)+"@v*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Skip("controller-tools is not in the module cache")
	}
	of := func(dir string) string { return "go" + dir[strings.LastIndex(dir, "@v")+2:] }
	newest := slices.MaxFunc(dirs, func(a, b string) int { return version.Compare(of(a), of(b)) })
	words := map[string]bool{}
	if err := collect(newest, words); err != nil {
		t.Fatal(err)
	}
	if len(words) < 50 {
		t.Errorf("%s has %d words only: it registers them in another way", newest, len(words))
	}
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if !(markers.Marker{Text: "+" + w}).Known() {
			t.Errorf("%s knows %s, and words.txt does not: run go generate ./internal/markers", newest, w)
		}
	}
}

func modCache(t *testing.T) string {
	var env struct{ GOMODCACHE string }
	if err := goCommand(&env, "env", "-json", "GOMODCACHE"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(env.GOMODCACHE); err != nil {
		t.Skip(err)
	}
	return env.GOMODCACHE
}
