package acrosspkg

import (
	"sync"

	"k8s.io/client-go/informers"

	"example.com/operators/lockheld/acrosspkg/factory"
)

type syncer struct {
	mu      sync.Mutex
	factory informers.SharedInformerFactory
	stop    chan struct{}
}

func (s *syncer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	factory.Sync(s.factory, s.stop) // want blocking/possible "s.mu (locked at line 18) is held across f.WaitForCacheSync (factory.go:8, via Sync), which may block forever waiting for the API server; unlock first" @18 "s.mu is locked here" @20 "calls Sync" @factory.go:8 "blocks here"
}
