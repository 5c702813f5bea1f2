// Package ordered has two functions that call each other, one of which waits. Both wait for whoever calls them, and
// that must not depend on which of them is summarised first.
package ordered

import (
	"context"

	"k8s.io/client-go/tools/cache"
)

type mirror struct{ synced cache.InformerSynced }

// retry waits through attempt.
func (m *mirror) retry(ctx context.Context, times int) bool {
	if times == 0 {
		return false
	}
	return m.attempt(ctx, times)
}

// attempt waits itself.
func (m *mirror) attempt(ctx context.Context, times int) bool {
	return cache.WaitForCacheSync(ctx.Done(), m.synced) || m.retry(ctx, times-1)
}

func (m *mirror) first() bool {
	return m.retry(context.Background(), 3) // want neverstops "cache.WaitForCacheSync (ordered.go:23, through retry) waits for an API server to answer and cannot be stopped: context.Background() never ends" @23 "waits here" @27 "context.Background() never ends"
}

func (m *mirror) last() bool {
	return m.attempt(context.Background(), 1) // want neverstops "cache.WaitForCacheSync (ordered.go:23, through attempt) waits for an API server to answer and cannot be stopped: context.Background() never ends" @23 "waits here" @31 "context.Background() never ends"
}

// again and settle are the same with the other one first, by name.
func (m *mirror) again(ctx context.Context, times int) bool {
	if times == 0 {
		return false
	}
	return m.settle(ctx, times)
}

func (m *mirror) settle(ctx context.Context, times int) bool {
	return cache.WaitForCacheSync(ctx.Done(), m.synced) || m.again(ctx, times-1)
}

func (m *mirror) third() bool {
	return m.again(context.Background(), 3) // want neverstops "cache.WaitForCacheSync (ordered.go:43, through again) waits for an API server to answer and cannot be stopped: context.Background() never ends" @43 "waits here" @47 "context.Background() never ends"
}
