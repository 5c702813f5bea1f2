package fewer

import (
	"context"
	"log"
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
		select { // want neverstops "this waits until it is told to end where the goroutine that sends (line 15) has returned because something has failed, without having closed the channel: nobody else does; close the channel in a deferred call, or send the error" @14 "the channel is made here" @15 "the goroutine ends here without a word"
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
			pages <- p // want abandoned "this send waits forever where watchCancelled has returned before, as it does when its context has ended (line 76): nobody else receives from a channel without room; make it with room for one" @64 "the channel is made here" @76 "this may take another way"
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
	for range pages { // want neverstops "this waits forever where the goroutine that sends (line 88) has returned because something has failed, without having closed the channel: nobody else does; close the channel in a deferred call, or send the error" @87 "the channel is made here" @93 "the goroutine ends here without a word"
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
	return <-got // want neverstops "this waits forever where the goroutine that sends (line 111) has returned because something has failed, without a send: nobody else does; close the channel in a deferred call, or send the error" @110 "the channel is made here" @115 "the goroutine ends here without a word"
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

var _ = []any{watchPages, watchClosed, watchCancelled, counts, firstPage, firstOrNone, firstAnyway, firstOfMany}
