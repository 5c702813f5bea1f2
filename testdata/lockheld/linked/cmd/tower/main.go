// Command tower puts them together.
package main

import (
	"example.com/operators/lockheld/linked/crew"
	"example.com/operators/lockheld/linked/pool"
	"example.com/operators/lockheld/linked/tower"
)

func main() {
	p := &pool.Pool{}
	t := tower.New(p)
	crew.Join(p, t)
	t.Use(pool.NewPump(crew.NewSink(t)))
	p.Start()
	t.Push(1)
	t.Close()
	t.CloseLater()
}
