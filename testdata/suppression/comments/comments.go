// Package comments has comments that silence findings, rightly and without need.
package comments

import "sync"

type queue struct {
	mu    sync.Mutex
	items chan int
	n     int
}

// take needs the lock before it receives.
func (q *queue) take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return <-q.items //nolint:lockheld // ok: a reason, and something to silence
}

func (q *queue) put(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	//lint:ignore ctrllint/lockheld ok: the same in the other form
	q.items <- i
}

func (q *queue) putBare(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	// want +1 noreason "the comment gives no reason for suppressing lockheld; add one"
	q.items <- i //nolint:lockheld,errcheck
}

// Count locks nothing twice.
//
//nolint:lockheld // want unused "the comment suppresses nothing: no finding of lockheld here; delete it"
func (q *queue) Count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n
}

// Others are silenced by comments that are not ours alone, or not ours.
func (q *queue) Others() int {
	n := q.Count() //nolint
	n++            //nolint:all
	n++            //nolint:errcheck
	//lint:ignore SA1000 not ours
	n++
	n++ //nolint:lockhold // a name that may be another linter's
	return n
}

//lint:ignore ctrllint/lockhold a name that is wrong // want unknown "ctrllint has no rule lockhold, so the comment suppresses nothing; correct the name"
func (q *queue) Wrong() {}

//lint:ignore ctrllint/startctx,ctrllint/lockheld/leak two names // want unused "the comment suppresses nothing: no finding of startctx or lockheld/leak here; delete it"
func (q *queue) Two() {}

// Suite names all rules.
func (q *queue) Suite() {
	// want +1 unused "the comment suppresses nothing: no finding of ctrllint here; delete it"
	//lint:ignore ctrllint
	q.n++
}

//lint:ignore lockheld the suite is not named // want unknown "lockheld has no ctrllint/ prefix, so the comment does not suppress it; write //lint:ignore ctrllint/lockheld"
func (q *queue) Bare() {}

//lint:ignore SA1000,lockheld/leak one of the two is staticcheck's // want unknown "lockheld/leak has no ctrllint/ prefix, so the comment does not suppress it; write //lint:ignore SA1000,ctrllint/lockheld/leak"
func (q *queue) BareOfTwo() {}

//lint:ignore ctrllint/lockheld,startctx one of the two has its prefix // want unused "the comment suppresses nothing: no finding of lockheld here; delete it" unknown "startctx has no ctrllint/ prefix, so the comment does not suppress it; write //lint:ignore ctrllint/lockheld,ctrllint/startctx"
func (q *queue) Half() {}
