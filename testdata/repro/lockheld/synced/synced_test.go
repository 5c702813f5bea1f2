package synced_test

import (
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"example.com/operators/repro/apiserver"
	"example.com/operators/repro/lockheld/synced"
	"example.com/operators/repro/stuck"
)

type startResetter interface {
	Start() error
	Reset()
}

// program starts s, and resets it once Start waits as start says. The channels are closed when the two have returned.
func program(t *testing.T, s startResetter, start stuck.Wait) (started, reset chan struct{}) {
	t.Helper()
	waiting := another(t, start)
	started, reset = make(chan struct{}), make(chan struct{})
	go func() {
		_ = s.Start()
		close(started)
	}()
	waiting()
	go func() {
		s.Reset()
		close(reset)
	}()
	return started, reset
}

// another gives a function that returns when one more goroutine than now waits as w says. With -count, there are those
// of the runs before, which never end.
func another(t *testing.T, w stuck.Wait) func() {
	n := stuck.Count(stuck.Dump(), w)
	return func() {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); stuck.Count(stuck.Dump(), w) <= n; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no goroutine is in state %q in %s:\n%s", w.State, w.In, stuck.Dump())
			}
		}
	}
}

// A mutex stops the clock of a synctest bubble, so this runs in real time. Start, which has the lock, waits for Reset
// to close the channel; Reset waits for the lock. The API server, which nobody needs for a deadlock, says nothing.
func TestPrograms(t *testing.T) {
	client, err := kubernetes.NewForConfig(apiserver.Silent())
	if err != nil {
		t.Fatal(err)
	}

	started, reset := program(t, synced.NewGood(client), stuck.Wait{State: "select", In: "synced.(*Good).Start"})
	<-reset
	<-started

	start := stuck.Wait{State: "select", In: "synced.(*Bad).Start"}
	startWaits := another(t, start)
	resetWaits := another(t, stuck.Wait{State: "sync.Mutex.Lock", In: "synced.(*Bad).Reset"})
	started, reset = program(t, synced.NewBad(client), start)
	resetWaits()
	select { // as long as some polls of WaitForCacheSync
	case <-started:
		t.Error("Start of the bad program has returned")
	case <-reset:
		t.Error("Reset of the bad program has returned")
	case <-time.After(500 * time.Millisecond):
	}
	startWaits()
	resetWaits()
}
