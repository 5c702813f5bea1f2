package circles

import (
	"context"
	"sync"
)

func G1() {
	var n *node
	go func() { _ = n }()
	n = n.next
	n.mu.Lock()
	<-n.ch
	n.mu.Unlock()
}

func G2() {
	var n *node
	go func() { _ = n }()
	n = n.get()
	n.lock().Lock()
	<-n.ch
	n.wg.Wait()
	n.cond.Wait()
	n.lock().Unlock()
}

func G3() {
	var n *node
	go func() { _ = n }()
	n = n.all[n.i].all[n.next.i]
	n.lock().Lock()
	<-n.ctx.Done()
	n.ch <- struct{}{}
	n.lock().Unlock()
}

func G4() {
	var f func() *node
	go func() { _ = f }()
	f = f().f
	n := f()
	n.mu.Lock()
	f()
	n.mu.Unlock()
}

func G5() {
	var ctx context.Context
	go func() { _ = ctx }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var c2 context.Context
	go func() { _ = c2 }()
	c2 = context.WithValue(c2, 1, 2)
	<-c2.Done()
	<-ctx.Done()
}

func G6() {
	var ch chan chan struct{}
	_ = ch
	var c chan struct{}
	go func() { _ = c }()
	c = append([]chan struct{}{}, c)[0]
	<-c
	var fs []func()
	go func() { _ = fs }()
	fs = append(fs, func() { fs[0]() })
	fs[0]()
	var g func(int)
	g = func(i int) { g(i - 1) }
	g(1)
	var any interface{}
	go func() { _ = any }()
	any = any.(interface{ X() interface{} }).X()
	any.(sync.Locker).Lock()
	any.(sync.Locker).Unlock()
	var e error
	go func() { _ = e }()
	e = wrap(e)
	if e != nil {
		return
	}
	var b bool
	go func() { _ = b }()
	b = !b
	if b {
		<-c
	}
	var m map[string]func()
	go func() { _ = m }()
	m = map[string]func(){"": m[""]}
	m[""]()
	var s string
	go func() { _ = s }()
	s = s + "x"
	var p *chan struct{}
	go func() { _ = p }()
	p = &[]chan struct{}{*p}[0]
	<-*p
}

var places [10]int
var mutexes [10]sync.Mutex

func F() {
	var i int
	go func() { _ = i }()
	i = places[i]
	mutexes[i].Lock()
	defer mutexes[i].Unlock()
}

func wrap(e error) error { return e }

func G7() {
	var n *node
	get := func() *node { return n.next }
	n = get()
	n.mu.Lock()
	<-n.ch
	n.mu.Unlock()
	var m *node
	same := func(m *node) *node { return m.next }
	m = same(m)
	m.mu.Lock()
	<-m.ch
	m.mu.Unlock()
}
