package blocking_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

const serving = `package src

import (
	"net"
	"net/http"
)

type dns struct{}

func (*dns) ListenAndServe() error { return nil }
func (*dns) Shutdown() error       { return nil }

type waiter struct{}

func (waiter) Serve(string) {} // serves dinner

func yes(l net.Listener, t *net.TCPListener, s *http.Server, d *dns) {
	s.Serve(l)
	s.ListenAndServeTLS("", "")
	http.ListenAndServe("", nil)
	http.Serve(l, nil)
	l.Accept()
	t.Accept()
	d.ListenAndServe()
}

func no(w waiter, h http.Handler, m *http.ServeMux) {
	w.Serve("soup")
	h.ServeHTTP(nil, nil)
	m.Handle("/", h)
	http.Get("")
}
`

func TestServeOf(t *testing.T) {
	p := ssatest.Build(t, serving)
	for name, want := range map[string]bool{"yes": true, "no": false} {
		for call := range flow.Calls(p.Func(name)) {
			if s, got := blocking.ServeOf(call.Common()); got != want {
				t.Errorf("%s: ServeOf(%s) = %v (%s), want %v", name, flow.Callee(call.Common()), got, s.What, want)
			}
		}
	}
	ends := map[int]int{0: 2, 1: 1, 2: 0, 3: 1}
	i := 0
	for call := range flow.Calls(p.Func("yes")) {
		s, _ := blocking.ServeOf(call.Common())
		if n, ok := ends[i]; ok && len(s.Ends) != n {
			t.Errorf("%s ends with %d values, want %d", s.What, len(s.Ends), n)
		}
		i++
	}
}

func TestIsShutdown(t *testing.T) {
	for name, want := range map[string]bool{"Stop": true, "Close": true, "ShutDownWithDrain": true, "Start": false, "Stopped": false} {
		if blocking.IsShutdown(name) != want {
			t.Errorf("IsShutdown(%s) is not %v", name, want)
		}
	}
}
