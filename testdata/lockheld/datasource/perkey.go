package datasource

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

// remote is one of many clusters.
type remote struct {
	mu       sync.Mutex
	name     string
	informer cache.SharedIndexInformer
}

func (r *remote) setName(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.name = name
}

// remotes has them by name.
type remotes struct {
	mu     sync.Mutex
	byName map[string]*remote
	local  *remote
}

// find gives the one of that name, which it makes where there is none.
func (rs *remotes) find(name string) *remote {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.byName[name]
	if !ok {
		r = &remote{name: name, informer: cache.NewSharedIndexInformer(nil, nil, 0, nil)}
		rs.byName[name] = r
	}
	return r
}

// mustFind knows it.
func (rs *remotes) mustFind(name string) *remote {
	if r := rs.find(name); r != nil {
		return r
	}
	return nil
}

// home is the same one for all.
func (rs *remotes) home() *remote {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.local == nil {
		rs.local = &remote{informer: cache.NewSharedIndexInformer(nil, nil, 0, nil)}
	}
	return rs.local
}

// either may be the one for all.
func (rs *remotes) either(name string) *remote {
	if name == "" {
		return rs.home()
	}
	return rs.find(name)
}

// Who wants the lock of one cluster wants that cluster.
func (rs *remotes) connect(name string, stop <-chan struct{}) {
	r := rs.find(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	cache.WaitForCacheSync(stop, r.informer.HasSynced)
}

func (rs *remotes) reconnect(name string, stop <-chan struct{}) {
	r := rs.mustFind(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	cache.WaitForCacheSync(stop, r.informer.HasSynced)
}

func (rs *remotes) connectHome(stop <-chan struct{}) {
	r := rs.home()
	r.mu.Lock()
	defer r.mu.Unlock()
	cache.WaitForCacheSync(stop, r.informer.HasSynced) // want blocking/possible "home().mu (locked at line 84) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @84 "home().mu is locked here"
}

func (rs *remotes) connectEither(name string, stop <-chan struct{}) {
	r := rs.either(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	cache.WaitForCacheSync(stop, r.informer.HasSynced) // want blocking/possible "either().mu (locked at line 91) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @91 "either().mu is locked here"
}
