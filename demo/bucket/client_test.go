package bucket

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestClient(t *testing.T) {
	stored := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, key, _ := req.BasicAuth()
		_, found := stored[req.URL.Path]
		switch {
		case key != "secret":
			w.WriteHeader(http.StatusUnauthorized)
		case req.Method == http.MethodPut:
			stored[req.URL.Path] = req.URL.Query().Get("from")
		case !found:
			w.WriteHeader(http.StatusNotFound)
		default:
			delete(stored, req.URL.Path)
		}
	}))
	defer server.Close()

	ctx, c := t.Context(), NewClient(server.URL, "secret")
	if err := c.Copy(ctx, "7-orders", "east/shop/orders"); err != nil || stored["/7-orders"] != "east/shop/orders" {
		t.Errorf("%v, %v", stored, err)
	}
	for _, when := range []string{"there", "gone"} {
		if err := c.Delete(ctx, "7-orders"); err != nil || len(stored) > 0 {
			t.Errorf("deleting what is %s: %v, %v", when, stored, err)
		}
	}
	if err := NewClient(server.URL, "guessed").Delete(ctx, "7-orders"); err == nil {
		t.Error("a wrong key is no error")
	}
}
