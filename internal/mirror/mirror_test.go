package mirror_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/mirror"
	"github.com/ctrllint/ctrllint/internal/mirrortest"
)

// The tree is that of the commit, and a file that the mirror lacks is left out while the others are whole.
func TestCheckout(t *testing.T) {
	mirrors, shas := mirrortest.Make(t, "o/r",
		map[string]string{"a.go": "package a\n", "b.go": "package a\n\n// B is large.\n", "sub/c.go": "package a\n\nvar C int\n",
			"vendor/v.go": "package v\n"},
		map[string]string{"a.go": "package changed\n", "vendor/in": "-> ../sub", "out": "-> ../../etc", "sub/abs": "-> /etc"},
	)
	repo := filepath.Join(mirrors, "o+r", "repo")
	blob, err := exec.Command("git", "--git-dir", repo, "rev-parse", shas[0]+":b.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(blob))
	if err := os.Remove(filepath.Join(repo, "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	for i, a := range []string{"package a\n", "package changed\n"} {
		to := t.TempDir()
		lacking, err := mirror.Checkout(t.Context(), mirrors, "o/r", shas[i], to)
		if err != nil || !slices.Equal(lacking, []string{"b.go"}) {
			t.Fatalf("%q are lacking, %v", lacking, err)
		}
		for name, want := range map[string]string{"a.go": a, "sub/c.go": "package a\n\nvar C int\n", "vendor/v.go": "package v\n"} {
			if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if i == 1 {
			if got, err := os.ReadFile(filepath.Join(to, "vendor", "in", "c.go")); err != nil || string(got) != "package a\n\nvar C int\n" {
				t.Errorf("through the link: %q, %v", got, err)
			}
		}
		for _, name := range []string{"b.go", "out", "sub/abs"} {
			if _, err := os.Lstat(filepath.Join(to, name)); !os.IsNotExist(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCheckoutFails(t *testing.T) {
	mirrors, shas := mirrortest.Make(t, "o/r", map[string]string{"a.go": "package a\n"})
	for _, test := range []struct{ repo, commit, want string }{
		{"o/other", shas[0], "there is no mirror of o/other"},
		{"o/r", strings.Repeat("0", 40), "git ls-tree of o/r at 000"},
	} {
		if _, err := mirror.Checkout(t.Context(), mirrors, test.repo, test.commit, t.TempDir()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}
