package startctx_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/operators/repro/apiserver"
	"example.com/operators/repro/startctx/ignored"
	"example.com/operators/repro/startctx/leaves"
	"example.com/operators/repro/startctx/sleeps"
	"example.com/operators/repro/stuck"
)

// A manager gives up waiting for a bad Runnable after its grace period, and says so.
func TestManager(t *testing.T) {
	const gaveUp = "failed waiting for all runnables to end within grace period"
	for _, test := range []struct {
		name      string
		bad, good func() manager.Runnable
		wait      stuck.Wait
	}{
		{"ignored",
			func() manager.Runnable { return ignored.NewBad() },
			func() manager.Runnable { return ignored.NewGood() },
			stuck.Wait{State: "chan receive", In: "ignored.(*Bad).Start"},
		},
		{"sleeps",
			func() manager.Runnable { return new(sleeps.Bad) },
			func() manager.Runnable { return new(sleeps.Good) },
			stuck.Wait{State: "sleep", In: "sleeps.(*Bad).Start"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, dump, deadlock := manage(t, test.bad)
			if result == nil || !strings.Contains(result.Error(), gaveUp) || deadlock == nil {
				t.Errorf("the manager of the bad program: %v, deadlock %v", result, deadlock)
			}
			if err := stuck.Missing(dump, test.wait); err != nil {
				t.Errorf("the bad program: %v", err)
			}
			if result, dump, deadlock := manage(t, test.good); result != nil || deadlock != nil {
				t.Errorf("the manager of the good program: %v, deadlock %v\n%s", result, deadlock, dump)
			}
		})
	}
}

// manage runs what newRunnable makes in a manager that is stopped after an hour. It gives the result of the manager and what all goroutines
// do after one more hour. All of that is in a bubble, whose clock runs by itself.
func manage(t *testing.T, newRunnable func() manager.Runnable) (result error, dump string, deadlock error) {
	t.Helper()
	deadlock = stuck.InBubble(t, func() {
		m, err := manager.New(apiserver.Empty(), manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
		if err == nil {
			err = m.Add(newRunnable())
		}
		if err != nil {
			t.Error(err)
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- m.Start(ctx) }()
		time.Sleep(time.Hour)
		cancel()
		result = <-done
		time.Sleep(time.Hour)
		synctest.Wait()
		dump = stuck.Dump()
	})
	return result, dump, deadlock
}

const turns = 1000

// impatient is a context that has ended. It ends the goroutine that asks for its Done channel too often.
type impatient struct {
	context.Context
	asked int
}

func (i *impatient) Done() <-chan struct{} {
	if i.asked++; i.asked == turns {
		runtime.Goexit()
	}
	return i.Context.Done()
}

// The bad program spins: it learns again and again that its context has ended.
func TestLeaves(t *testing.T) {
	if returned, asked := spin(leaves.NewBad()); returned || asked != turns {
		t.Errorf("the bad program: returned %v, looked %d times at a context that had ended", returned, asked)
	}
	if returned, asked := spin(leaves.NewGood()); !returned || asked != 1 {
		t.Errorf("the good program: returned %v, looked %d times at a context that had ended", returned, asked)
	}
}

// spin starts r with a context that has ended, and tells whether Start returned, and how often it looked.
func spin(r manager.Runnable) (returned bool, asked int) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	i := &impatient{Context: ctx}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = r.Start(i)
		returned = true
	}()
	<-done
	return returned, i.asked
}
