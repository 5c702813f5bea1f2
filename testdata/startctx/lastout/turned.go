package lastout

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

// A quarry has its queue worked off in goroutines, in one turn after the other.
type quarry struct {
	stones workqueue.TypedInterface[string]
}

func (q *quarry) Work() {
	defer q.stones.ShutDown()
	for q.next() { // ok: nobody waits for it
	}
}

func (q *quarry) next() bool {
	stone, quit := q.stones.Get()
	if quit {
		return false
	}
	q.stones.Done(stone)
	return true
}

func quarried(ctx context.Context) {
	q := &quarry{stones: workqueue.NewTyped[string]()}
	go wait.Until(q.Work, time.Second, ctx.Done())
	go q.Work()
	<-ctx.Done()
}

// A mine waits for the turns.
type mine struct {
	ores workqueue.TypedInterface[string]
}

func (m *mine) Work() {
	defer m.ores.ShutDown()
	for m.next() { // want loop "(*mine).Work never returns: it waits here until ores is shut down, which only its deferred call (line 44) does; shut it down from another goroutine" @44 "ores is shut down here"
	}
}

func (m *mine) next() bool {
	ore, quit := m.ores.Get()
	if quit {
		return false
	}
	m.ores.Done(ore)
	return true
}

func mined(ctx context.Context) {
	m := &mine{ores: workqueue.NewTyped[string]()}
	wait.Until(m.Work, time.Second, ctx.Done())
}

// A pit has others run it, who may wait.
type pit struct {
	coals workqueue.TypedInterface[string]
}

func (p *pit) Work() {
	defer p.coals.ShutDown()
	for p.next() { // want loop "(*pit).Work never returns: it waits here until coals is shut down, which only its deferred call (line 69) does; shut it down from another goroutine" @69 "coals is shut down here"
	}
}

func (p *pit) next() bool {
	coal, quit := p.coals.Get()
	if quit {
		return false
	}
	p.coals.Done(coal)
	return true
}

func dug(all *wait.Group) {
	p := &pit{coals: workqueue.NewTyped[string]()}
	go all.Start(p.Work)
}

var _ = []any{quarried, mined, dug}
