// Command uncalled calls some of what its package store has for others.
package main

import (
	"io"

	"example.com/operators/optin/lockheld/uncalled/store"
)

// A refresher refreshes.
type refresher interface{ Refresh() }

func main() {
	s := &store.Store{}
	s.Fill()
	var r refresher = s
	r.Refresh()
	f := s.Clear
	f()
	sweep(s)
	closeAll(s)
	ask(s)
}

func sweep[T interface{ Sweep() }](t T) { t.Sweep() }

func closeAll(all ...io.Closer) {}

func ask(v any) {
	if a, ok := v.(interface{ Asked() }); ok {
		a.Asked()
	}
}
