// Command option has one option of two.
package main

import (
	"example.com/operators/lockheld/linked/looper"
	"example.com/operators/lockheld/linked/option"
)

func main() {
	q, s := looper.NewQuick(), looper.NewSlow(option.Options{Patient: true})
	q.Run()
	s.Run()
	q.Stop()
	s.Stop()
}
