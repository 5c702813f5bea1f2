// Package fill moves goods to the front.
package fill

import "example.com/operators/lockheld/linked/stock"

// Front takes the back first.
func Front(s *stock.Store) {
	s.Back.Lock()
	defer s.Back.Unlock()
	s.Front.Lock() // want order/possible "lock order cycle: Front locks stock.Store.Front while holding stock.Store.Back (stock.go:19); One locks stock.Store.Back while holding stock.Store.Front (stock.go:25): concurrent calls deadlock; acquire them in one order" @8 "s.Back.mu is locked here" @10 "calls (*FrontShelf).Lock" @stock.go:19 "acquires stock.Store.Front" @sell.go:8 "s.Front.mu is locked here" @sell.go:10 "calls (*BackShelf).Lock" @stock.go:25 "acquires stock.Store.Back"
	defer s.Front.Unlock()
}
