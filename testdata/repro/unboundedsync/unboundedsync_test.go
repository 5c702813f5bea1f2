package unboundedsync_test

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"

	"example.com/operators/repro/apiserver"
	"example.com/operators/repro/stuck"
	"example.com/operators/repro/unboundedsync/neverstarted"
	"example.com/operators/repro/unboundedsync/startup"
)

// Without the handlers that wait after an error: they go by the time of the last one, which the clock of a bubble puts
// years ahead.
func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}

type start func(context.Context, kubernetes.Interface) (corelisters.PodLister, error)

// program calls f, and ends its context after an hour, if cancelled is set. It tells after another hour whether f has
// returned, and shows what all goroutines do then; at last it gives all of them time to end. All of that is in a bubble, whose clock runs by itself.
func program(t *testing.T, f start, server *rest.Config, cancelled bool) (returned bool, dump string, deadlock error) {
	t.Helper()
	deadlock = stuck.InBubble(t, func() {
		client, err := kubernetes.NewForConfig(server)
		if err != nil {
			t.Error(err)
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer func() {
			cancel()
			time.Sleep(time.Hour)
		}()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = f(ctx, client)
		}()
		time.Sleep(time.Hour)
		if cancelled {
			cancel()
			time.Sleep(time.Hour)
		}
		synctest.Wait()
		select {
		case <-done:
			returned = true
		default:
			dump = stuck.Dump()
		}
	})
	return returned, dump, deadlock
}

// The API server is silent. The bad program waits for it even when its context has ended, and so can never end.
func TestNeverStops(t *testing.T) {
	returned, dump, deadlock := program(t, startup.Bad, apiserver.Silent(), true)
	if returned || deadlock == nil {
		t.Errorf("the bad program: returned %v, deadlock %v", returned, deadlock)
	} else if err := stuck.Missing(dump, stuck.Wait{State: "select", In: "startup.Bad"}); err != nil {
		t.Errorf("the bad program: %v", err)
	}
	if returned, dump, deadlock := program(t, startup.Good, apiserver.Silent(), false); !returned || deadlock != nil {
		t.Errorf("the good program: returned %v, deadlock %v\n%s", returned, deadlock, dump)
	}
}

// The API server answers, and the bad program does not ask it. It waits for as long as its context lets it.
func TestNeverStarted(t *testing.T) {
	returned, dump, deadlock := program(t, neverstarted.Bad, apiserver.Empty(), false)
	if returned || deadlock != nil {
		t.Errorf("the bad program: returned %v, deadlock %v", returned, deadlock)
	} else if err := stuck.Missing(dump, stuck.Wait{State: "select", In: "neverstarted.Bad"}); err != nil {
		t.Errorf("the bad program: %v", err)
	}
	if returned, dump, deadlock := program(t, neverstarted.Good, apiserver.Empty(), false); !returned || deadlock != nil {
		t.Errorf("the good program: returned %v, deadlock %v\n%s", returned, deadlock, dump)
	}
}
