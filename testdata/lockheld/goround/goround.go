// Package goround has functions that call each other in a circle, each the next one, and start those behind it: what the last one does becomes known of the
// first one when all others have been looked at again and again.
package goround

import "sync"

type feeds struct {
	mu    sync.Mutex
	names []string
}

func (f *feeds) add() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first() // want relock/certain "f.mu (locked at line 13) is locked again (goround.go:56, via (*feeds).first, 5 more, (*feeds).last), which deadlocks; unlock first, or call a variant that does not lock" @13 "f.mu is locked here" @15 "calls (*feeds).first" @19 "calls (*feeds).second" @28 "calls (*feeds).third" @36 "calls (*feeds).fourth" @43 "calls (*feeds).fifth" @49 "calls (*feeds).sixth" @53 "calls (*feeds).last" @56 "second acquisition"
}

func (f *feeds) first() {
	f.second()
	go f.third()
	go f.fourth()
	go f.fifth()
	go f.sixth()
	go f.last()
}

func (f *feeds) second() {
	f.third()
	go f.fourth()
	go f.fifth()
	go f.sixth()
	go f.last()
}

func (f *feeds) third() {
	f.fourth()
	go f.fifth()
	go f.sixth()
	go f.last()
}

func (f *feeds) fourth() {
	f.fifth()
	go f.sixth()
	go f.last()
}

func (f *feeds) fifth() {
	f.sixth()
	go f.last()
}

func (f *feeds) sixth() { f.last() }

func (f *feeds) last() {
	f.mu.Lock()
	f.names = append(f.names, "")
	f.mu.Unlock()
	go f.first()
}

func (f *feeds) addApart() {
	f.mu.Lock()
	f.names = nil
	f.mu.Unlock()
	f.first()
}
