package bucket

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestDelete(t *testing.T) {
	stored := map[string]bool{"/7": true}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, key, _ := req.BasicAuth()
		switch {
		case key != "secret":
			w.WriteHeader(http.StatusUnauthorized)
		case !stored[req.URL.Path]:
			w.WriteHeader(http.StatusNotFound)
		default:
			delete(stored, req.URL.Path)
		}
	}))
	defer server.Close()

	if err := (&Client{server.URL, "guessed"}).Delete(t.Context(), "7"); err == nil || len(stored) == 0 {
		t.Errorf("with a wrong key: %v, %v", stored, err)
	}
	for _, when := range []string{"there", "gone"} {
		if err := (&Client{server.URL, "secret"}).Delete(t.Context(), "7"); err != nil || len(stored) > 0 {
			t.Errorf("deleting what is %s: %v, %v", when, stored, err)
		}
	}
}
