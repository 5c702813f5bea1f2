// Package feed has informers that call functions of others.
package feed

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// A Feed has an informer for itself.
type Feed[T runtime.Object] struct {
	informer cache.SharedIndexInformer
	Changed  func(old, cur T)
}

// New makes a feed, and tells it of events.
func New[T runtime.Object](lw *cache.ListWatch, kind T, changed func(old, cur T)) *Feed[T] {
	f := &Feed[T]{Changed: changed}
	f.informer = cache.NewSharedIndexInformer(lw, kind, 0, cache.Indexers{})
	_, _ = f.informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool { return obj != nil },
		Handler: cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(old, cur any) {
				before, ok := old.(T)
				after, also := cur.(T)
				if ok && also {
					f.Changed(before, after)
				}
			},
		},
	})
	return f
}

// Run runs it.
func (f *Feed[T]) Run(ctx context.Context) {
	go f.informer.Run(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), f.informer.HasSynced)
}

// Lister gives what the feed has to those who ask.
func (f *Feed[T]) Lister() cache.GenericLister {
	return cache.NewGenericLister(f.informer.GetIndexer(), schema.GroupResource{})
}

// Again tells of all objects again after a time.
type Again struct {
	informer cache.SharedIndexInformer
	Changed  func(obj any)
}

// Run makes and runs the informer.
func (a *Again) Run(ctx context.Context, lw *cache.ListWatch, kind runtime.Object) {
	a.informer = cache.NewSharedIndexInformer(lw, kind, time.Minute, cache.Indexers{})
	_, _ = a.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { a.Changed(cur) }})
	a.informer.Run(ctx.Done())
}

// Shared gives its informer to whoever wants to hear of events, too.
type Shared struct {
	informer cache.SharedIndexInformer
	Changed  func(obj any)
}

// Run makes and runs the informer.
func (s *Shared) Run(ctx context.Context, lw *cache.ListWatch, kind runtime.Object) {
	s.informer = cache.NewSharedIndexInformer(lw, kind, 0, cache.Indexers{})
	_, _ = s.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { s.Changed(cur) }})
	s.informer.Run(ctx.Done())
}

// Informer is the informer.
func (s *Shared) Informer() cache.SharedIndexInformer { return s.informer }

// Taken has an informer that somebody else has made.
type Taken struct {
	informer cache.SharedIndexInformer
	Changed  func(obj any)
}

// NewTaken takes the informer.
func NewTaken(informer cache.SharedIndexInformer, changed func(obj any)) *Taken {
	t := &Taken{informer: informer, Changed: changed}
	_, _ = t.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { t.Changed(cur) }})
	return t
}

// Two has two handlers, one of which counts.
type Two struct {
	informer cache.SharedIndexInformer
	Changed  func(obj any)
	Counted  int
}

// Run makes and runs the informer.
func (t *Two) Run(ctx context.Context, lw *cache.ListWatch, kind runtime.Object) {
	t.informer = cache.NewSharedIndexInformer(lw, kind, 0, cache.Indexers{})
	_, _ = t.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { t.Changed(cur) }})
	_, _ = t.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, cur any) { t.Counted++ }})
	t.informer.Run(ctx.Done())
}
