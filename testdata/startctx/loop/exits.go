package loop

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

// unending waits for the end of a context that has none.
func unending(in <-chan int, use func(int)) {
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
