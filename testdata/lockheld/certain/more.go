package certain

import "sync"

// A Writer waits with the lock that is embedded in the struct around its condition.
type Writer struct {
	mu struct {
		sync.Mutex
		n    int
		cond *sync.Cond
	}
	created chan struct{} // of tests, which make it
}

func NewWriter() *Writer {
	w := &Writer{}
	w.mu.cond = sync.NewCond(&w.mu)
	return w
}

func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.mu.n > 0 {
		w.mu.cond.Wait()
	}
}

func (w *Writer) Done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mu.n--
	w.mu.cond.Signal()
}

func (w *Writer) Open() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mu.n++
	if w.created != nil {
		w.created <- struct{}{}
	}
}

// A Commit locks what a call gives it, and unlocks what another one does.
type Commit struct{ buffer *Buffer }

type Buffer struct {
	sync.RWMutex
	n int
}

func (c *Commit) Buffer() *Buffer { return c.buffer }

func (c *Commit) Len() int {
	c.Buffer().RLock()
	defer c.Buffer().RUnlock()
	return c.buffer.n
}

func (c *Commit) Add() {
	c.Buffer().Lock()
	c.buffer.n++
	c.Buffer().Unlock()
}

// A Downloader makes new channels in each turn of its loop, and needs the lock before it does so only.
type Downloader struct {
	mu    sync.Mutex
	tasks []*job
}

func (d *Downloader) start() []*job {
	d.mu.Lock()
	d.mu.Unlock()
	return []*job{{done: make(chan error)}}
}

func (d *Downloader) Run() error {
	for {
		tasks := d.start()
		d.mu.Lock()
		d.tasks = append(d.tasks, tasks...)
		d.mu.Unlock()
		for _, t := range tasks {
			if err := <-t.done; err != nil {
				return err
			}
		}
	}
}

func (d *Downloader) Step() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.tasks {
		t.done <- nil
	}
	d.tasks = nil
}
