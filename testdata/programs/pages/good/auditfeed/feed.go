// The feed sends to its subscribers with the mutex held, but by a select with a default, so that a subscriber who has left or is slow loses events and nobody waits.
//
//adv:rule=lockheld sub=blocking claim=no

package auditfeed

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Change is what subscribers see.
type Change struct {
	When    time.Time `json:"when"`
	Verb    string    `json:"verb"`
	Binding string    `json:"binding"`
	Role    string    `json:"role"`
}

type subscriber struct {
	changes chan Change
	missed  int
}

// Feed tells of changes of role bindings.
type Feed struct {
	mu   sync.Mutex
	subs map[*subscriber]struct{}
	last []Change
}

// NewFeed makes a feed of a factory that the caller starts.
func NewFeed(f informers.SharedInformerFactory) (*Feed, error) {
	feed := &Feed{subs: map[*subscriber]struct{}{}}
	_, err := f.Rbac().V1().RoleBindings().Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, initial bool) {
			if !initial {
				feed.tell("add", obj)
			}
		},
		UpdateFunc: func(old, cur any) {
			if old.(*rbacv1.RoleBinding).ResourceVersion != cur.(*rbacv1.RoleBinding).ResourceVersion {
				feed.tell("update", cur)
			}
		},
		DeleteFunc: func(obj any) {
			if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = gone.Obj
			}
			feed.tell("delete", obj)
		},
	})
	return feed, err
}

func (f *Feed) tell(verb string, obj any) {
	rb, ok := obj.(*rbacv1.RoleBinding)
	if !ok {
		return
	}
	c := Change{When: time.Now(), Verb: verb, Binding: rb.Namespace + "/" + rb.Name, Role: rb.RoleRef.Name}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last = append(f.last, c); len(f.last) > 100 {
		f.last = f.last[1:]
	}
	for s := range f.subs {
		select {
		case s.changes <- c:
		default:
			s.missed++
		}
	}
}

func (f *Feed) subscribe() (*subscriber, []Change) {
	s := &subscriber{changes: make(chan Change, 32)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.subs[s] = struct{}{}
	return s, append([]Change(nil), f.last...)
}

func (f *Feed) unsubscribe(s *subscriber) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.subs, s)
	return s.missed
}

// ServeHTTP streams changes until the client leaves.
func (f *Feed) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s, backlog := f.subscribe()
	defer func() {
		if n := f.unsubscribe(s); n > 0 {
			klog.InfoS("Subscriber was slow", "missed", n, "remote", req.RemoteAddr)
		}
	}()
	if err := f.stream(req.Context(), json.NewEncoder(w), s, backlog); err != nil {
		klog.V(2).InfoS("Subscriber has left", "err", err)
	}
}

func (f *Feed) stream(ctx context.Context, enc *json.Encoder, s *subscriber, backlog []Change) error {
	for _, c := range backlog {
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	for {
		select {
		case c := <-s.changes:
			if err := enc.Encode(c); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
