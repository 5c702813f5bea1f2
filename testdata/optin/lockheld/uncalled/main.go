// Command uncalled calls some of what its package store has for others.
package main

import "example.com/operators/optin/lockheld/uncalled/store"

// A refresher refreshes.
type refresher interface{ Refresh() }

func main() {
	s := &store.Store{}
	s.Fill()
	var r refresher = s
	r.Refresh()
	f := s.Clear
	f()
}
