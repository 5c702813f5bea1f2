package kubernetes

import "testing"

func TestPublished(t *testing.T) {
	if got, err := published("v1.36.3"); err != nil || got != "v0.36.3" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := published("v0.36.3"); err == nil {
		t.Errorf("a version of another module is accepted, as %q", got)
	}
}
