package goneby

import "k8s.io/apimachinery/pkg/watch"

// follower is told to stop by two functions.
type follower struct {
	inner watch.Interface
	quit  chan string
}

func newFollower(inner watch.Interface) *follower {
	f := &follower{inner: inner, quit: make(chan string)}
	go f.follow()
	return f
}

// Stop says so twice, and is told of the first.
func (f *follower) Stop() {
	f.quit <- "stop" // want abandoned "this send waits forever once (*follower).follow has returned by itself (line 31): nobody else receives from quit; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @28 "the only one who receives" @31 "it returns here without a send"
	f.quit <- "now"
}

// Abort is another one that waits.
func (f *follower) Abort() { f.quit <- "abort" } // want abandoned "this send waits forever once (*follower).follow has returned by itself (line 31): nobody else receives from quit; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @28 "the only one who receives" @31 "it returns here without a send"

func (f *follower) follow() {
	for {
		select {
		case _, ok := <-f.inner.ResultChan():
			if !ok {
				return
			}
		case <-f.quit:
			return
		}
	}
}

var _ = []any{newFollower, (*follower).Stop, (*follower).Abort}
