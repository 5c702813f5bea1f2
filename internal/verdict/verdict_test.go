package verdict_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/verdict"
)

func TestLower(t *testing.T) {
	for _, test := range []struct{ first, second, want string }{
		{verdict.Right, verdict.Right, verdict.Right},
		{verdict.Right, verdict.Weak, verdict.Weak},
		{verdict.Wrong, verdict.Weak, verdict.Wrong},
		{verdict.Right, verdict.Unjudged, verdict.Unjudged},
		{"maybe", verdict.Right, verdict.Unjudged},
	} {
		if got := verdict.Lower(test.first, test.second); got != test.want {
			t.Errorf("%q and %q count as %q, want %q", test.first, test.second, got, test.want)
		}
	}
}
