package fewer

import (
	"context"
	"log"
	"sync"
)

type stream interface {
	Recv() (page, error)
}

// watchPages goes on to receive when the stream has failed.
func watchPages(ctx context.Context, s stream, show func(page)) {
	pages := make(chan page)
	go func() {
		for {
			p, err := s.Recv()
			if err != nil {
				break
			}
			pages <- p
		}
	}()
	for {
		select { // want neverstops "this waits until it is told to end where the goroutine that sends (line 16) has returned because something has failed, without having closed the channel: nobody else does; close the channel in a deferred call, or send the error" @15 "the channel is made here" @16 "the goroutine ends here without a word"
		case p := <-pages:
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

// watchClosed hears of the end.
func watchClosed(ctx context.Context, s stream, show func(page)) {
	pages := make(chan page)
	go func() {
		defer close(pages)
		for {
			p, err := s.Recv()
			if err != nil {
				return
			}
			pages <- p
		}
	}()
	for {
		select {
		case p, ok := <-pages: // ok
			if !ok {
				return
			}
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

// watchCancelled is told of the end by its context.
func watchCancelled(ctx context.Context, s stream, show func(page)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pages := make(chan page)
	go func() {
		for {
			p, err := s.Recv()
			if err != nil {
				cancel()
				return
			}
			pages <- p // want abandoned "this send waits forever where watchCancelled has returned before, as it does when its context has ended (line 77): nobody else receives from a channel without room; make it with room for one" @65 "the channel is made here" @77 "this may take another way"
		}
	}()
	for {
		select {
		case p := <-pages: // ok
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

// counts ranges over a channel that is closed where all goes well.
func counts(s stream, last func(page) bool) (n int) {
	pages := make(chan page, 8)
	go func() {
		for {
			p, err := s.Recv()
			if err != nil {
				log.Print(err)
				return
			}
			pages <- p
			if last(p) {
				close(pages)
				return
			}
		}
	}()
	for range pages { // want neverstops "this waits forever where the goroutine that sends (line 89) has returned because something has failed, without having closed the channel: nobody else does; close the channel in a deferred call, or send the error" @88 "the channel is made here" @94 "the goroutine ends here without a word"
		n++
	}
	return n
}

// firstPage waits for a page that may never come.
func firstPage(s stream) page {
	got := make(chan page, 1)
	go func() {
		p, err := s.Recv()
		if err != nil {
			log.Print(err)
			return
		}
		got <- p
	}()
	return <-got // want neverstops "this waits forever where the goroutine that sends (line 112) has returned because something has failed, without a send: nobody else does; close the channel in a deferred call, or send the error" @111 "the channel is made here" @116 "the goroutine ends here without a word"
}

// firstOrNone hears of the failure.
func firstOrNone(s stream) (page, error) {
	got, failed := make(chan page, 1), make(chan error, 1)
	go func() {
		p, err := s.Recv()
		if err != nil {
			failed <- err
			return
		}
		got <- p
	}()
	select {
	case p := <-got: // ok
		return p, nil
	case err := <-failed:
		return page{}, err
	}
}

// firstAnyway sends in any case.
func firstAnyway(s stream) page {
	got := make(chan page, 1)
	go func() {
		p, err := s.Recv()
		if err != nil {
			log.Print(err)
		}
		got <- p
	}()
	return <-got // ok
}

// firstJoined waits for the end first, and knows of the failure then.
func firstJoined(s stream) (p page, err error) {
	got := make(chan page, 1)
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		p, failed := s.Recv()
		if failed != nil {
			err = failed
			group.Done()
			return
		}
		got <- p
		group.Done()
	}()
	group.Wait()
	if err != nil {
		return p, err
	}
	return <-got, nil // ok
}

// firstOfMany looks at each page until one is found.
func firstOfMany(s stream, is func(page) bool) (found page) {
	pages := make(chan page)
	go func() {
		for {
			p, err := s.Recv()
			if err != nil {
				return
			}
			pages <- p
		}
	}()
	for p := range pages { // ok: it ends by itself
		if is(p) {
			return p
		}
	}
	return found
}

var _ = []any{watchPages, watchClosed, watchCancelled, counts, firstPage, firstOrNone, firstAnyway, firstJoined, firstOfMany}

// watchEnded hears of the end of the context, which is what fails.
func watchEnded(ctx context.Context, s stream, wait func(context.Context) error, show func(page)) {
	pages := make(chan page)
	go func() {
		for ctx.Err() == nil {
			if err := wait(ctx); err != nil {
				return
			}
			p, _ := s.Recv()
			pages <- p
		}
	}()
	for {
		select { // ok: both end with the context
		case p := <-pages:
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

// watchLimited hears of it as well; a limiter that is no function of anybody in sight has failed.
func watchLimited(ctx context.Context, s stream, l *limits, show func(page)) {
	pages := make(chan page)
	go func() {
		for {
			if err := l.Wait(ctx); err != nil {
				return
			}
			p, _ := s.Recv()
			pages <- p
		}
	}()
	for {
		select { // ok: both end with the context
		case p := <-pages:
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

type limits struct{ left int }

func (l *limits) Wait(ctx context.Context) error {
	l.left--
	return ctx.Err()
}

// watchStopped has its end said by what another function leads to.
func watchStopped(ctx context.Context, s stream, show func(page)) {
	ctx, cancel := context.WithCancel(ctx)
	pages, end := make(chan page), &ender{cancel: cancel}
	go func() {
		for {
			p, err := s.Recv()
			if err != nil {
				end.fail()
				return
			}
			pages <- p // want abandoned "this send waits forever where watchStopped has returned before, as it does when its context has ended (line 265): nobody else receives from a channel without room; make it with room for one" @253 "the channel is made here" @265 "this may take another way"
		}
	}()
	for {
		select { // ok: the context ends
		case p := <-pages:
			show(p)
		case <-ctx.Done():
			return
		}
	}
}

type ender struct{ cancel context.CancelFunc }

func (e *ender) fail() { e.stop() }
func (e *ender) stop() { e.cancel() }
