package pilesup

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type agent struct{ n int }

func (a *agent) work(context.Context) { a.n++ }

// begin comes back at once, and is begun again.
func (a *agent) begin(ctx context.Context) {
	a.n = 0
	go wait.UntilWithContext(ctx, a.work, time.Second) // want pilesup "each run of (*agent).begin, which wait.UntilWithContext starts again and again (line 22), leaves this goroutine behind: wait.UntilWithContext goes on until what outlasts the run ends; wait for that here, too" @22 "it is started again and again here"
	go wait.UntilWithContext(ctx, a.work, time.Minute)
}

func (a *agent) again(ctx context.Context) {
	wait.UntilWithContext(ctx, a.begin, 0)
}

// stay waits for what it has started.
func (a *agent) stay(ctx context.Context) {
	go wait.UntilWithContext(ctx, a.work, time.Second) // ok
	<-ctx.Done()
}

func (a *agent) staysAgain(ctx context.Context) {
	wait.UntilWithContext(ctx, a.stay, 0)
}

// end ends what it has started.
func (a *agent) end(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go wait.UntilWithContext(ctx, a.work, time.Second) // ok: until end comes back
	a.n++
}

func (a *agent) endsAgain(ctx context.Context) {
	wait.UntilWithContext(ctx, a.end, time.Second)
}

// once is run once.
func (a *agent) once(ctx context.Context) {
	a.begin(ctx)
}
