// Command cmd sets values that it leaves to others to take.
package main

import "example.com/operators/optin/lockheld/uncalled/emptied"

func main() {
	latest, racy, twice, filled := emptied.NewLatest(), emptied.NewRacy(), emptied.NewTwice(), emptied.NewFilled()
	for n := range 3 {
		go latest.Set(n)
		go racy.Set(n)
		go twice.Set(n)
		go filled.Set(n)
	}
	latest.Reset()
	racy.Reset()
	twice.Reset()
	filled.Reset()
	filled.Offer()
}
