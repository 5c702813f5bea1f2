// Package cleaners drops what a store expects.
package cleaners

import "example.com/operators/expectttl/store"

// Gone is for the key of an object that has been deleted.
func Gone(s store.Tally, key string) { s.DeleteExpectations(key) }
