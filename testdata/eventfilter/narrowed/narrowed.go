package narrowed

import (
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// shelf has one function for the Secrets that come and for those that go.
type shelf struct{ books map[string]bool }

func (s *shelf) turn(obj any) {
	s.books[obj.(*corev1.Secret).Name] = true
}

func (s *shelf) leaf(obj any) {
	s.books[obj.(*corev1.Secret).Name] = false // want tombstone "DeleteFunc (line 47) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Secret fails; unwrap its Obj first" @47 "DeleteFunc receives delete events here"
}

// shelved gives the object to turn where it is one, and what is in the tombstone else.
func (s *shelf) shelved(obj any) {
	if _, ok := obj.(*corev1.Secret); ok {
		s.turn(obj) // ok: no tombstone is a Secret
		return
	}
	gone, ok := obj.(cache.DeletedFinalStateUnknown)
	if !ok {
		return
	}
	if book, ok := gone.Obj.(*corev1.Secret); ok {
		s.turn(book)
	}
}

// lent gives it to leaf whatever it is.
func (s *shelf) lent(obj any) {
	if _, ok := obj.(*corev1.Secret); !ok {
		log.Printf("a %T", obj)
	}
	s.leaf(obj)
}

func shelves(s *shelf) []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{AddFunc: s.turn, DeleteFunc: s.shelved},
		cache.ResourceEventHandlerFuncs{AddFunc: s.leaf, DeleteFunc: s.lent},
	}
}
