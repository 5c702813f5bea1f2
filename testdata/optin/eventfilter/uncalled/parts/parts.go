// Package parts has handlers that a program registers, and others that it does not.
package parts

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Watch is called by the program, and calls watch.
func Watch(pods cache.SharedInformer, counts chan int) {
	watch(pods, counts)
}

func watch(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) }, // want tombstone "DeleteFunc (line 18) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @18 "DeleteFunc receives delete events here"
	})
}

// Left is there for others, and the program does not call it.
func Left(pods cache.SharedInformer, counts chan int) {
	left(pods, counts)
}

func left(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) },
	})
}

// forgotten is called by nobody.
func forgotten(pods cache.SharedInformer, counts chan int) {
	if counts != nil {
		forgotten(pods, nil) // but by itself
	}
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) },
	})
}

// Tally is started by the program, which knows it as an interface of its own.
type Tally struct {
	counts chan int
}

// NewTally makes one.
func NewTally(counts chan int) *Tally { return &Tally{counts} }

// Start watches.
func (t *Tally) Start(pods cache.SharedInformer) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { t.counts <- len(obj.(*v1.Pod).Spec.Containers) }, // want tombstone "DeleteFunc (line 54) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @54 "DeleteFunc receives delete events here"
	})
}

// Restart is called by nobody, through whatever interface.
func (t *Tally) Restart(pods cache.SharedInformer) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { t.counts <- len(obj.(*v1.Pod).Spec.Containers) },
	})
}

// Registered are called out of this table.
var Registered = map[string]func(cache.SharedInformer, chan int){"late": late}

func late(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) }, // want tombstone "DeleteFunc (line 70) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @70 "DeleteFunc receives delete events here"
	})
}

// ring is called by those of the package who know it as a ringer.
type ring struct{}

type ringer interface {
	ring(pods cache.SharedInformer, counts chan int)
}

func (ring) ring(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) }, // want tombstone "DeleteFunc (line 83) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @83 "DeleteFunc receives delete events here"
	})
}

var all = []ringer{ring{}}

// RingAll is what they are rung by.
func RingAll(pods cache.SharedInformer, counts chan int) {
	for _, r := range all {
		r.ring(pods, counts)
	}
}

// ForTest is there for those who test what counts.
func ForTest(t *testing.T, pods cache.SharedInformer, counts chan int) {
	t.Helper()
	tested(pods, counts)
}

func tested(pods cache.SharedInformer, counts chan int) {
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { counts <- len(obj.(*v1.Pod).Spec.Containers) },
	})
}

// Suites are run by tests.
var Suites = []func(*testing.T, cache.SharedInformer, chan int){ForTest}
