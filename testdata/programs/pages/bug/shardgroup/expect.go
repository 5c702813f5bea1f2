package shardgroup

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// labelExpectations knows the labels that the informer has still to show.
type labelExpectations struct {
	mu   sync.Mutex
	want map[string]map[types.UID]string
}

func newLabelExpectations() *labelExpectations {
	return &labelExpectations{want: map[string]map[types.UID]string{}}
}

func (e *labelExpectations) ExpectLabel(key string, uid types.UID, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.want[key] == nil {
		e.want[key] = map[types.UID]string{}
	}
	e.want[key][uid] = value
}

func (e *labelExpectations) ObserveLabel(key string, uid types.UID, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.want[key][uid] == value {
		delete(e.want[key], uid)
	}
}

func (e *labelExpectations) SatisfiedLabels(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.want[key]) == 0
}

func (e *labelExpectations) DeleteKey(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.want, key)
}
