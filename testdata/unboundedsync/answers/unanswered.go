package answers

import (
	"context"
	"errors"
	"time"

	"k8s.io/klog/v2"
)

// order is what a orderServer is asked for.
type order struct {
	data  []byte
	quiet bool
	reply chan error
}

// orderServer answers the orders of one connection.
type orderServer struct {
	orders chan order
	write  func([]byte) (int, error)
	check  func() error
}

// serveAll has a goroutine for each connection.
func serveAll(accept func() (*orderServer, error)) error {
	for {
		s, err := accept()
		if err != nil {
			return err
		}
		go func() {
			if err := s.serve(); err != nil {
				klog.Error(err, "serving")
			}
		}()
		go s.goOn()
		go s.answersAll()
		go s.handsOn()
		go s.saysGoodbye(make(chan struct{}))
		go s.givesUp()
		go s.looksAtOrder()
		go s.looksAtEnd(context.Background())
	}
}

// ask waits for the answer until the end of ctx.
func (s *orderServer) ask(ctx context.Context, data []byte) error {
	reply := make(chan error, 1)
	select {
	case s.orders <- order{data: data, reply: reply}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serve leaves with the order of the moment unanswered.
func (s *orderServer) serve() error {
	for {
		select {
		case o, ok := <-s.orders:
			if !ok {
				return nil
			}
			_, err := s.write(o.data)
			if errors.Is(err, context.Canceled) {
				klog.Info("the other side has gone")
			}
			if err != nil {
				return err // want neverstops "this returns where something has failed with no answer to the request that it has received (line 66), and (*orderServer).ask waits for one in vain (line 55): answer on this way, too" @78 "it answers here" @55 "who has asked waits here"
			}
			o.reply <- err
		case <-time.After(time.Minute):
			if err := s.check(); err != nil {
				return err // ok: nobody has asked
			}
		}
	}
}

// goOn answers no order that it cannot write.
func (s *orderServer) goOn() {
	for o := range s.orders { // want neverstops "this receives the next request where something has failed with no answer to the request that it has received (line 89), and (*orderServer).ask waits for one in vain (line 55): answer on this way, too" @94 "it answers here" @55 "who has asked waits here"
		if _, err := s.write(o.data); err != nil {
			klog.Error(err, "writing")
			continue
		}
		o.reply <- nil
	}
}

// answersAll answers where it fails, too.
func (s *orderServer) answersAll() {
	for o := range s.orders {
		_, err := s.write(o.data)
		if err != nil {
			o.reply <- err
			return // ok
		}
		o.reply <- nil
	}
}

// handsOn leaves the order to others.
func (s *orderServer) handsOn() {
	for o := range s.orders {
		_, err := s.write(o.data)
		if err != nil {
			s.refuse(o)
			continue // ok
		}
		o.reply <- nil
	}
}

func (s *orderServer) refuse(o order) { o.reply <- errors.New("refused") }

// saysGoodbye tells all when it leaves.
func (s *orderServer) saysGoodbye(left chan struct{}) {
	defer close(left)
	for o := range s.orders {
		if _, err := s.write(o.data); err != nil {
			return // ok
		}
		o.reply <- nil
	}
}

// looksAtOrder owes no answer to a quiet order.
func (s *orderServer) looksAtOrder() {
	for o := range s.orders {
		_, err := s.write(o.data)
		if o.quiet {
			if err != nil {
				return // ok
			}
			continue
		}
		o.reply <- err
	}
}

// looksAtEnd ends with the context.
func (s *orderServer) looksAtEnd(ctx context.Context) {
	for o := range s.orders {
		_, err := s.write(o.data)
		if err != nil {
			if ctx.Err() != nil {
				return // ok
			}
		}
		o.reply <- err
	}
}

// givesUp takes the process along.
func (s *orderServer) givesUp() {
	for o := range s.orders {
		if _, err := s.write(o.data); err != nil {
			klog.Fatal(err)
			return // ok
		}
		o.reply <- nil
	}
}

// query is one for whose answer nobody waits without an end.
type query struct {
	name string
	back chan string
}

type oracle struct {
	queries chan query
	find    func(name string) (string, error)
}

func (o *oracle) ask(name string) (string, bool) {
	back := make(chan string, 1)
	o.queries <- query{name: name, back: back}
	select {
	case found := <-back:
		return found, true
	case <-time.After(time.Second):
		return "", false
	}
}

func (o *oracle) run() {
	for q := range o.queries {
		found, err := o.find(q.name)
		if err != nil {
			continue // ok: who has asked gives up
		}
		q.back <- found
	}
}

// command is a pointer, and whoever asks waits for nothing else.
type command struct {
	name string
	done chan bool
}

type runner struct {
	commands chan *command
	run      func(name string) (bool, error)
}

func (r *runner) ask(name string) bool {
	c := &command{name: name, done: make(chan bool)}
	r.commands <- c
	return <-c.done
}

func (r *runner) work(stop <-chan struct{}) {
	for {
		select { // want neverstops "this receives the next request where something has failed with no answer to the request that it has received (line 224), and (*runner).ask waits for one in vain (line 219): answer on this way, too" @231 "it answers here" @219 "who has asked waits here"
		case c := <-r.commands:
			ok, err := r.run(c.name)
			if err != nil {
				klog.Error(err, "running", "name", c.name)
				break
			}
			c.done <- ok
		case <-stop:
			return
		}
	}
}

// listed is a command that whoever has a list of them may answer, too.
type listed struct {
	name string
	done chan bool
}

type lister struct {
	commands chan *listed
	all      map[string]*listed
	run      func(name string) (bool, error)
}

func (l *lister) ask(name string) bool {
	c := &listed{name: name, done: make(chan bool)}
	l.all[name] = c
	l.commands <- c
	return <-c.done
}

func (l *lister) work() {
	for c := range l.commands {
		ok, err := l.run(c.name)
		if err != nil {
			continue // ok: it is in the list
		}
		c.done <- ok
	}
}

var _ = []any{
	serveAll, (*orderServer).ask, (*oracle).ask, (*oracle).run, (*runner).ask, (*runner).work, (*lister).ask, (*lister).work,
}
