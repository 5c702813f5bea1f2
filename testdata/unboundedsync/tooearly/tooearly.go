// Package tooearly sends to channels that nobody else has yet, and to such that somebody has.
package tooearly

import "k8s.io/klog/v2"

type loop struct {
	results chan int
	names   chan string
}

func (l *loop) run() {
	for n := range l.results {
		klog.InfoS("a result", "n", n)
	}
}

func local() {
	ch := make(chan int)
	ch <- 1 // want neverstops "send blocks forever: the channel created on line 18 is unbuffered and not shared yet; start the receiver first, or add a buffer" @18 "the channel is created here"
	go func() { klog.InfoS("received", "n", <-ch) }()
}

func field() {
	var l loop
	l.results = make(chan int)
	l.names = make(chan string)
	l.results <- -1 // want neverstops "send blocks forever: the channel created on line 25 is unbuffered and not shared yet; start the receiver first, or add a buffer" @25 "the channel is created here"
	go l.run()
}

func withRoom() {
	ch := make(chan int, 1)
	ch <- 1 // ok: there is room
	go func() { klog.InfoS("received", "n", <-ch) }()
}

func started() {
	ch := make(chan int)
	go func() { klog.InfoS("received", "n", <-ch) }()
	ch <- 1 // ok: somebody receives
}

func given(to func(<-chan int)) {
	ch := make(chan int)
	to(ch)
	ch <- 1 // ok: somebody has it
}

func sent(all chan<- chan int) {
	ch := make(chan int)
	all <- ch
	ch <- 1 // ok: somebody has it
}

func fromTheSecond(n int) {
	ch := make(chan int)
	for i := range n {
		if i > 0 {
			ch <- i // ok: the turn before has started somebody
		}
		go func() { klog.InfoS("received", "n", <-ch) }()
	}
}

func copied() *loop {
	l := &loop{results: make(chan int)}
	other := l
	go other.run()
	l.results <- 1 // ok: somebody has the loop
	return l
}

func (l *loop) remade() {
	l.results = make(chan int)
	l.results <- 1 // ok: whoever has the loop
}

func offered() {
	ch := make(chan int)
	select {
	case ch <- 1: // ok: or not
	default:
	}
}

func closedAtTheEnd(generated bool, generate func(chan<- int)) {
	ch := make(chan int)
	defer close(ch)
	if generated {
		generate(ch)
	} else {
		ch <- 1 // want neverstops "send blocks forever: the channel created on line 87 is unbuffered and not shared yet; start the receiver first, or add a buffer" @87 "the channel is created here"
	}
	go func() { klog.InfoS("received", "n", <-ch) }()
}

func closedByALiteral() {
	ch := make(chan int)
	defer func() { close(ch) }()
	ch <- 1 // want neverstops "send blocks forever: the channel created on line 98 is unbuffered and not shared yet; start the receiver first, or add a buffer" @98 "the channel is created here"
	go func() { klog.InfoS("received", "n", <-ch) }()
}

func keptByALiteral() {
	ch := make(chan int)
	receive := func() { klog.InfoS("received", "n", <-ch) }
	go receive()
	defer receive()
	ch <- 1 // ok: somebody receives
}

var _ = []any{closedAtTheEnd, closedByALiteral, keptByALiteral, local, field, withRoom, started, given, sent, fromTheSecond, copied, (*loop).remade, offered}
