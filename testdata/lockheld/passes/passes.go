// Package passes has waits under a lock that their holder never gets to, or not for certain, next to ones that it does get to.
package passes

import (
	"fmt"
	"sync"
)

// An Office has a desk for each clerk, and one for the boss.
type Office struct {
	mu    sync.Mutex
	desks map[string]*Desk
	boss  *Desk
}

func (o *Office) promote(d *Desk) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.boss = d
}

func (o *Office) current() *Desk {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.boss
}

// A Desk has clerks, who come for its lock.
type Desk struct {
	mu     sync.Mutex
	clerks sync.WaitGroup
	office *Office
	name   string
	papers int
}

func (d *Desk) Hire() {
	d.clerks.Add(1)
	go d.work()
}

func (d *Desk) work() {
	defer d.clerks.Done()
	d.mu.Lock()
	d.papers++
	d.mu.Unlock()
}

// Close never comes to the wait for its own clerks: before that, the desk of that name is locked once more.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.office.clear(d.name) // ok: another desk has clerks of its own, and at this one it stops before the wait
}

func (o *Office) clear(name string) {
	desk := o.desks[name]
	desk.mu.Lock()
	desk.papers = 0
	desk.mu.Unlock()
	desk.clerks.Wait()
}

// Retire does so with the desk of the boss.
func (d *Desk) Retire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.office.clearBoss() // ok: the same with another way to the desk
}

func (o *Office) clearBoss() {
	desk := o.current()
	desk.mu.Lock()
	desk.papers = 0
	desk.mu.Unlock()
	desk.clerks.Wait()
}

// Leave comes to the wait, as nothing is locked on the way.
func (d *Desk) Leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.office.await(d.name) // want blocking/possible "d.mu (locked at line 81) is held across o.desks[name].clerks.Wait (passes.go:87, via (*Office).await), which deadlocks: (*Desk).work at passes.go:44 needs the same lock to unblock it; unlock first" @81 "d.mu is locked here" @83 "calls (*Office).await" @87 "blocks here" @44 "(*Desk).work needs the same lock here" @43 "and ends the wait only here"
}

func (o *Office) await(name string) {
	o.desks[name].clerks.Wait()
}

// A Kitchen waits for its cooks.
type Kitchen struct {
	mu    sync.Mutex
	cooks sync.WaitGroup
	pots  int
}

func (k *Kitchen) cook() {
	defer k.cooks.Done()
	k.mu.Lock()
	k.pots--
	k.mu.Unlock()
}

// Serve waits twice; nobody comes as far as the second time.
func (k *Kitchen) Serve() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cooks.Add(1)
	go k.cook()
	k.cooks.Wait() // want blocking/certain "k.mu (locked at line 106) is held across k.cooks.Wait, which deadlocks: (*Kitchen).cook at passes.go:99 needs the same lock to unblock it; unlock first" @106 "k.mu is locked here" @99 "(*Kitchen).cook needs the same lock here" @98 "and ends the wait only here"
	k.pots++
	k.cooks.Wait() // want blocking/possible "k.mu (locked at line 106) is held across k.cooks.Wait, which deadlocks: (*Kitchen).cook at passes.go:99 needs the same lock to unblock it; unlock first" @106 "k.mu is locked here" @99 "(*Kitchen).cook needs the same lock here" @98 "and ends the wait only here"
}

// A Quay sees the porters join before it waits.
type Quay struct {
	mu      sync.Mutex
	porters sync.WaitGroup
	crates  int
}

func (q *Quay) carry() {
	defer q.porters.Done()
	q.mu.Lock()
	q.crates--
	q.mu.Unlock()
}

func (q *Quay) Unload() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.porters.Add(2)
	go q.carry()
	go q.carry()
	q.porters.Wait() // want blocking/certain "q.mu (locked at line 130) is held across q.porters.Wait, which deadlocks: (*Quay).carry at passes.go:124 needs the same lock to unblock it; unlock first" @130 "q.mu is locked here" @124 "(*Quay).carry needs the same lock here" @123 "and ends the wait only here"
}

// A Ferry has porters only if somebody has called them before.
type Ferry struct {
	mu      sync.Mutex
	porters sync.WaitGroup
	crates  int
}

func (f *Ferry) Call() {
	f.porters.Add(1)
	go f.carry()
}

func (f *Ferry) carry() {
	defer f.porters.Done()
	f.mu.Lock()
	f.crates--
	f.mu.Unlock()
}

func (f *Ferry) Leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.porters.Wait() // want blocking/possible "f.mu (locked at line 158) is held across f.porters.Wait, which deadlocks: (*Ferry).carry at passes.go:152 needs the same lock to unblock it; unlock first" @158 "f.mu is locked here" @152 "(*Ferry).carry needs the same lock here" @151 "and ends the wait only here"
}

// A Waiter brings two dishes, and is done.
type Waiter struct {
	mu     sync.Mutex
	dishes chan int
	empty  int
}

func NewWaiter() *Waiter {
	w := &Waiter{dishes: make(chan int)}
	go w.bring()
	return w
}

func (w *Waiter) bring() {
	for range 2 {
		w.dishes <- 1
		w.mu.Lock()
		w.empty++
		w.mu.Unlock()
	}
}

func (w *Waiter) Dine() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return <-w.dishes + w.empty // want blocking/possible "w.mu (locked at line 186) is held across the receive from w.dishes, which deadlocks: (*Waiter).bring at passes.go:179 needs the same lock to unblock it; unlock first" @186 "w.mu is locked here" @179 "(*Waiter).bring needs the same lock here" @178 "and ends the wait only here"
}

// A Conveyor brings dishes forever.
type Conveyor struct {
	mu     sync.Mutex
	dishes chan int
	empty  int
}

func NewConveyor() *Conveyor {
	c := &Conveyor{dishes: make(chan int)}
	go c.bring()
	return c
}

func (c *Conveyor) bring() {
	for {
		c.dishes <- 1
		c.mu.Lock()
		c.empty++
		c.mu.Unlock()
	}
}

func (c *Conveyor) Dine() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return <-c.dishes + c.empty // want blocking/certain "c.mu (locked at line 214) is held across the receive from c.dishes, which deadlocks: (*Conveyor).bring at passes.go:207 needs the same lock to unblock it; unlock first" @214 "c.mu is locked here" @207 "(*Conveyor).bring needs the same lock here" @206 "and ends the wait only here"
}

// A Parcel can say what is in it.
type Parcel struct {
	mu    sync.Mutex
	items []string
}

func (p *Parcel) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprint(len(p.items), " items")
}

func (p *Parcel) Dump() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%#v", p) // ok: %#v does not ask for String
}

func (p *Parcel) DumpItems() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%+#v in %q", p, p.items) // ok: nor does it with another flag
}

func (p *Parcel) Label() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%v", p) // want relock/certain "p.mu (locked at line 244) is locked again (passes.go:226, via (*Parcel).String), which deadlocks; unlock first, or call a variant that does not lock" @244 "p.mu is locked here" @246 "calls (*Parcel).String" @226 "second acquisition"
}

// A Cellar has two barrels, and each has a lock of its own.
type Cellar struct {
	red, white Barrel
}

type Barrel struct {
	mu     sync.Mutex
	litres int
	full   chan struct{}
}

func NewCellar() *Cellar {
	return &Cellar{Barrel{full: make(chan struct{})}, Barrel{full: make(chan struct{})}}
}

// fill needs the lock of one barrel, whichever that is.
func (b *Barrel) fill() {
	b.mu.Lock()
	b.litres = 100
	b.mu.Unlock()
	b.full <- struct{}{}
}

// Red waits for the red one, with the lock of that.
func (c *Cellar) Red() int {
	c.red.mu.Lock()
	defer c.red.mu.Unlock()
	go c.red.fill()
	<-c.red.full // want blocking/possible "c.red.mu (locked at line 274) is held across the receive from c.red.full, which deadlocks: (*Barrel).fill at passes.go:266 needs the same lock to unblock it; unlock first" @274 "c.red.mu is locked here" @266 "(*Barrel).fill needs the same lock here" @269 "and ends the wait only here"
	return c.red.litres
}

// Both waits for the red one with the lock of the white one.
func (c *Cellar) Both() int {
	c.white.mu.Lock()
	defer c.white.mu.Unlock()
	go c.red.fill()
	<-c.red.full // ok: the white lock keeps nobody from filling the red one
	return c.white.litres
}

// A Well has one bucket.
type Well struct{ bucket Bucket }

type Bucket struct {
	mu     sync.Mutex
	litres int
	full   chan struct{}
}

func NewWell() *Well { return &Well{Bucket{full: make(chan struct{})}} }

func (b *Bucket) fill() {
	b.mu.Lock()
	b.litres = 10
	b.mu.Unlock()
	b.full <- struct{}{}
}

func (w *Well) Draw() int {
	w.bucket.mu.Lock()
	defer w.bucket.mu.Unlock()
	go w.bucket.fill()
	<-w.bucket.full // want blocking/certain "w.bucket.mu (locked at line 309) is held across the receive from w.bucket.full, which deadlocks: (*Bucket).fill at passes.go:302 needs the same lock to unblock it; unlock first" @309 "w.bucket.mu is locked here" @302 "(*Bucket).fill needs the same lock here" @305 "and ends the wait only here"
	return w.bucket.litres
}
