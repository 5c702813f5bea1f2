// Command station puts lists and observers together.
package main

import (
	"example.com/operators/lockheld/linked/observers"
	"example.com/operators/lockheld/linked/stations"
)

func main() {
	l, b := new(observers.List), new(observers.Board)
	stations.Wire(l, b)
	s, p := stations.New(l), stations.NewPlatform(b)
	go l.Down("a")
	go b.Down("b")
	go s.Sweep()
	p.Sweep()
}
