// Package sell takes goods from the front, and looks behind where there are none.
package sell

import "example.com/operators/lockheld/linked/stock"

// One takes the front first.
func One(s *stock.Store) {
	s.Front.Lock()
	defer s.Front.Unlock()
	s.Back.Lock()
	defer s.Back.Unlock()
}
