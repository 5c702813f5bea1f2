package verdict_test

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/verdict"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		j    verdict.Judgement
		want string
	}{
		{verdict.Judgement{}, "nobody has judged it"},
		{verdict.Judgement{Reason: "r"}, "nobody has judged it"},
		{verdict.Judgement{Verdict: "maybe", Reason: "r"}, `"maybe" is no verdict`},
		{verdict.Judgement{Verdict: verdict.Wrong}, "no reason"},
	} {
		if err := test.j.Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.j, err, test.want)
		}
	}
	for _, v := range verdict.All {
		if err := (verdict.Judgement{Verdict: v, Reason: "r"}).Check(); err != nil {
			t.Error(err)
		}
	}
}

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
