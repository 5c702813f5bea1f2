package kubeapi

import "testing"

func TestIsStandard(t *testing.T) {
	for path, want := range map[string]bool{
		"time": true, "net/http": true, "encoding/json": true, "vendor/golang.org/x/net/http2": true,
		"myoperator": false, "my_operator/controllers": false, "k8s.io/api/core/v1": false, "example.com/time": false, "timer": false,
	} {
		if got := IsStandard(path); got != want {
			t.Errorf("IsStandard(%q) = %t", path, got)
		}
	}
}
