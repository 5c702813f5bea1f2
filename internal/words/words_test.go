package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/words"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"x": "x", "mu": "mu", "updateThreshold": "update threshold", "HTTPServer2": "http server2", "isTTL": "is ttl", "TTLSeconds": "ttl seconds",
		"RLock": "r lock", "old_obj": "old obj", "_": "", "": "", "ID": "id", "Größe": "größe",
	} {
		if got := strings.Join(words.Of(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !words.Has("TryLock", "lock", "hold") || words.Has("UpdateThreshold", "lock", "hold") || slices.Contains(words.Of("unblock"), "lock") {
		t.Error("words are parts of others")
	}
}
