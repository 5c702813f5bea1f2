// Package scale holds back a cluster until the cache shows its last scaling.
package scale

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const giveUpAfter = 30 * time.Second

type entry struct {
	pod types.NamespacedName
	at  time.Time
}

// Expectations are the workers that have been created, by cluster.
type Expectations struct {
	reader client.Reader
	mu     sync.Mutex
	open   map[types.NamespacedName][]entry
}

func New(reader client.Reader) *Expectations {
	return &Expectations{reader: reader, open: map[types.NamespacedName][]entry{}}
}

func (e *Expectations) ExpectCreated(cluster, pod types.NamespacedName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open[cluster] = append(e.open[cluster], entry{pod: pod, at: time.Now()})
}

// IsSatisfied looks into the cache for what is still open.
func (e *Expectations) IsSatisfied(ctx context.Context, cluster types.NamespacedName) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	rest := e.open[cluster][:0]
	for _, it := range e.open[cluster] {
		err := e.reader.Get(ctx, it.pod, &corev1.Pod{})
		if err == nil || !apierrors.IsNotFound(err) || time.Since(it.at) > giveUpAfter {
			continue
		}
		rest = append(rest, it)
	}
	e.open[cluster] = rest
	return len(rest) == 0
}

func (e *Expectations) LowerCreated(cluster, pod types.NamespacedName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rest := e.open[cluster][:0]
	for _, it := range e.open[cluster] {
		if it.pod != pod {
			rest = append(rest, it)
		}
	}
	e.open[cluster] = rest
}

func (e *Expectations) Delete(cluster types.NamespacedName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.open, cluster)
}
