// Package exits has loops that the process does not survive.
package exits

import (
	"context"
	"fmt"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func die(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(1)
}

func say(why string) { fmt.Fprintln(os.Stderr, why) }

// until ends the process when its time is over.
func until(ctx context.Context, ready func() metav1.Time) {
	for {
		select {
		case <-ctx.Done(): // ok: die does not come back
			die("too late")
		case <-time.After(time.Second):
			if t := ready(); !t.IsZero() {
				return
			}
		}
	}
}

// round goes on when its time is over.
func round(ctx context.Context, ready func() metav1.Time) {
	for {
		select {
		case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in round spins, until another case leaves it"
			say("too late")
		case <-time.After(time.Second):
			if t := ready(); !t.IsZero() {
				return
			}
		}
	}
}

var _ = []any{until, round}

// forever waits for the end of a context that has none.
func forever(in <-chan int, use func(int)) {
	ctx := context.Background()
	for {
		select {
		case n := <-in:
			use(n)
		case <-ctx.Done(): // ok: never ready
			use(0)
		}
	}
}

var _ = forever
