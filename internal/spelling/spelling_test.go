package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestMeant(t *testing.T) {
	rules := strings.Fields("eventfilter eventfilter/cases lockheld lockheld/slow lockheld/leak lockheld/relock startctx startctx/ignored startctx/replaced")
	flags := strings.Fields("C config confidence format fix lockheld lockheld.blocks lockheld.slow startctx startctx.loop severity")
	for _, test := range []struct {
		written string
		names   []string
		want    string
	}{
		{"lockhed", rules, "lockheld"},
		{"LockHeld", rules, "lockheld"},
		{"lockheld/relok", rules, "lockheld/relock"},
		{"lockheld/relcok", rules, "lockheld/relock"}, // a swap is one letter
		{"relock", rules, "lockheld/relock"},
		{"relok", rules, "lockheld/relock"},
		{"lockhed/relock", rules, "lockheld/relock"},
		{"lockheld/xyzzy", rules, ""}, // the rule alone is no resemblance
		{"xyzzy", rules, ""},
		{"", rules, ""},
		{"formt", flags, "format"},
		{"slow", flags, "lockheld.slow"},
		{"lockheld.blokcs", flags, "lockheld.blocks"},
		{"startctx.lop", flags, "startctx.loop"},
		{"confi", flags, "config"},
		{"ab", []string{"abc", "abd", "xyz"}, "abc abd"},
		{"zlockheld/leka", rules, "lockheld/leak"},
	} {
		if got := strings.Join(Meant(test.written, test.names), " "); got != test.want {
			t.Errorf("%q: %q, want %q", test.written, got, test.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	names := []string{"abc", "abd", "xyz"}
	for written, want := range map[string]string{"ab": "did you mean abc or abd?", "xy": "did you mean xyz?", "other": ""} {
		if got := DidYouMean(written, names); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"leek", "leak", 1}, {"relok", "relock", 1}, {"loock", "lock", 1}, {"kitten", "sitting", 3}} {
		if got := Distance(test.a, test.b); got != test.want || Distance(test.b, test.a) != test.want {
			t.Errorf("%q and %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// A distance is the same both ways, and nothing else has none; so nothing is as near as the name itself.
func FuzzDistance(f *testing.F) {
	f.Add("lockheld", "lokcheld", "startctx")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		ab, ba := Distance(a, b), Distance(b, a)
		if ab != ba || (ab == 0) != (a == b) || ab > max(len(a), len(b)) {
			t.Errorf("%q and %q: %d and %d", a, b, ab, ba)
		}
		if again := Meant(a, []string{b, c}); a != "" && strings.ToLower(a) == a && !slices.Contains(Meant(a, []string{b, a, c}), a) {
			t.Errorf("%q is not what is meant by itself, beside %q", a, again)
		}
	})
}
