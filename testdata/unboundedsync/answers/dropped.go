package answers

import (
	"context"
	"sync"
	"time"

	"k8s.io/klog/v2"
)

// watchdog looks at something from time to time, and for whoever asks.
type watchdog struct {
	mu     sync.Mutex
	result bool
	asks   chan struct{}
	ready  chan struct{}
	check  func() bool
}

func newWatchdog(check func() bool) *watchdog {
	return &watchdog{check: check, asks: make(chan struct{}), ready: make(chan struct{})}
}

// Result asks, and waits for the answer.
func (w *watchdog) Result() bool {
	w.asks <- struct{}{}
	<-w.ready
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.result
}

func (w *watchdog) watch(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.asks:
			if w.known() {
				w.ready <- struct{}{}
				continue
			}
		case <-tick.C:
		}
		w.look()
		select { // want neverstops "this answer is lost where (*watchdog).Result has asked and is not yet there to receive it (line 27), and then it waits for another one that nobody owes it: send to ready without a default where somebody has asked" @26 "it asks here" @27 "and waits for the answer here"
		case w.ready <- struct{}{}:
		default:
		}
	}
}

func (w *watchdog) known() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.result
}

func (w *watchdog) look() {
	r := w.check()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result = r
}

// fixedWatchdog knows whether somebody has asked.
type fixedWatchdog struct {
	watchdog
	asked, answered chan struct{}
}

func newFixedWatchdog(check func() bool) *fixedWatchdog {
	return &fixedWatchdog{watchdog: watchdog{check: check}, asked: make(chan struct{}), answered: make(chan struct{})}
}

func (w *fixedWatchdog) Result() bool {
	w.asked <- struct{}{}
	<-w.answered
	return w.known()
}

func (w *fixedWatchdog) watch(ctx context.Context) {
	for {
		asked := false
		select {
		case <-ctx.Done():
			return
		case <-w.asked:
			asked = true
		case <-time.After(time.Minute):
		}
		w.look()
		if asked {
			w.answered <- struct{}{}
			continue
		}
		select {
		case w.answered <- struct{}{}: // ok: nobody has asked
		default:
		}
	}
}

// roomyWatchdog has room for the answer.
type roomyWatchdog struct {
	watchdog
	asked, room chan struct{}
}

func newRoomyWatchdog(check func() bool) *roomyWatchdog {
	return &roomyWatchdog{watchdog: watchdog{check: check}, asked: make(chan struct{}), room: make(chan struct{}, 1)}
}

func (w *roomyWatchdog) Result() bool {
	w.asked <- struct{}{}
	<-w.room
	return w.known()
}

func (w *roomyWatchdog) watch() {
	for range w.asked {
		w.look()
		select {
		case w.room <- struct{}{}: // ok
		default:
		}
	}
}

// logging says that nobody was there.
type logging struct{ question, answer chan string }

func newLogging() *logging {
	return &logging{question: make(chan string), answer: make(chan string)}
}

func (l *logging) ask(name string) string {
	l.question <- name
	return <-l.answer
}

func (l *logging) work() {
	for name := range l.question {
		select { // want neverstops "this answer is lost where (*logging).ask has asked and is not yet there to receive it (line 141), and then it waits for another one that nobody owes it: send to answer without a default where somebody has asked" @140 "it asks here" @141 "and waits for the answer here"
		case l.answer <- name + "!":
		default:
			klog.Info("nobody waits for the answer")
		}
	}
}

// trying sends again until somebody is there.
type trying struct{ question, reply chan string }

func newTrying() *trying { return &trying{question: make(chan string), reply: make(chan string)} }

func (t *trying) ask(name string) string {
	t.question <- name
	return <-t.reply
}

func (t *trying) work() {
	for name := range t.question {
		for sent := false; !sent; {
			select {
			case t.reply <- name: // ok
				sent = true
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}
}

// stubborn sends several times.
type stubborn struct{ question, reply chan string }

func newStubborn() *stubborn {
	return &stubborn{question: make(chan string), reply: make(chan string)}
}

func (s *stubborn) ask(name string) string {
	s.question <- name
	return <-s.reply
}

func (s *stubborn) work() {
	for name := range s.question {
		for i := 0; ; i++ {
			select {
			case s.reply <- name: // ok
			default:
			}
			if i == 10 {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// later puts the answer aside, and sends it by itself.
type later struct{ question, response chan string }

func newLater() *later { return &later{question: make(chan string), response: make(chan string)} }

func (l *later) ask(name string) string {
	l.question <- name
	return <-l.response
}

func (l *later) work() {
	for name := range l.question {
		select {
		case l.response <- name: // ok
		default:
			go func() { l.response <- name }()
		}
	}
}

// either tells whoever waits of what has come, and answers who has asked by itself.
type either struct{ question, news chan string }

func newEither() *either { return &either{question: make(chan string), news: make(chan string)} }

func (e *either) ask(name string) string {
	e.question <- name
	return <-e.news
}

func (e *either) work(events <-chan string) {
	for {
		select {
		case name := <-e.question:
			e.news <- name
		case event := <-events:
			select {
			case e.news <- event: // ok
			default:
			}
		}
	}
}

// impatient waits for the end of the context, too.
type impatient struct{ question, word chan string }

func newImpatient() *impatient {
	return &impatient{question: make(chan string), word: make(chan string)}
}

func (i *impatient) ask(ctx context.Context, name string) string {
	i.question <- name
	select {
	case word := <-i.word:
		return word
	case <-ctx.Done():
		return ""
	}
}

func (i *impatient) work() {
	for name := range i.question {
		select {
		case i.word <- name: // ok: who has asked does not wait forever
		default:
		}
	}
}

var _ = []any{
	newWatchdog, (*watchdog).Result, (*watchdog).watch, newFixedWatchdog, (*fixedWatchdog).Result, (*fixedWatchdog).watch,
	newRoomyWatchdog, (*roomyWatchdog).Result, (*roomyWatchdog).watch, newLogging, (*logging).ask, (*logging).work,
	newTrying, (*trying).ask, (*trying).work, newLater, (*later).ask, (*later).work, newEither, (*either).ask, (*either).work,
	newStubborn, (*stubborn).ask, (*stubborn).work, newImpatient, (*impatient).ask, (*impatient).work,
}
