package phrase_test

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/phrase"
)

func TestCount(t *testing.T) {
	for n, want := range []string{"0 entries", "1 entry", "2 entries"} {
		if got := phrase.Count(n, "entry", "entries"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSome(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j")
	for n, want := range map[int]string{0: "", 1: "a", 8: "a, b, c, d, e, f, g, h", 9: "a, b, c, d, e, f, g, h and 1 more", 10: "a, b, c, d, e, f, g, h and 2 more"} {
		if got := phrase.Some(names[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
