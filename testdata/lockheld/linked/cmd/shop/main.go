// Command shop puts together what its packages do.
package main

import (
	"example.com/operators/lockheld/linked/audit"
	"example.com/operators/lockheld/linked/drain"
	"example.com/operators/lockheld/linked/fill"
	"example.com/operators/lockheld/linked/ledger"
	"example.com/operators/lockheld/linked/pipe"
	"example.com/operators/lockheld/linked/sell"
	"example.com/operators/lockheld/linked/stock"
)

func main() {
	s := new(stock.Store)
	go fill.Front(s)
	sell.One(s)

	l := new(ledger.Ledger)
	log := audit.Watch(l)
	go l.Add(1)
	log.Check()
	log.Last()

	var rater ledger.Rater = &ledger.Counted{Next: &ledger.Cached{Next: ledger.Fixed(1)}}
	rater.Rate("EUR")

	numbers := make(chan int)
	bus := pipe.NewBus(numbers)
	go drain.Report(bus, numbers)
	bus.Put(1)

	others := make(chan int)
	line := pipe.NewLine(others)
	go drain.Print(others)
	line.Put(1)
}
