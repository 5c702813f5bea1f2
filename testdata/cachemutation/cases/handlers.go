package cases

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// A yard has handlers that come to the same write.
type yard struct {
	secrets cache.Store
	used    map[string]bool
}

func (y *yard) watch(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			if secret := obj.(*corev1.Secret); secret.DeletionTimestamp != nil {
				y.leave(secret) // want callee "leave (handlers.go:32) writes Finalizers of the Secret that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy" @32 "it is written to here" @23 "so does this, of what comes the same way"
			}
		},
		UpdateFunc: func(_, obj any) {
			if secret := obj.(*corev1.Secret); secret.DeletionTimestamp != nil {
				y.leave(secret)
			}
		},
	})
	y.secrets = informer.GetStore()
}

func (y *yard) leave(secret *corev1.Secret) {
	if len(secret.Finalizers) > 0 {
		secret.Finalizers = nil
		y.used[secret.Name] = false
	}
}

// guarded is who decides by it.
func (y *yard) guarded(key string) bool {
	obj, ok, _ := y.secrets.GetByKey(key)
	return ok && len(obj.(*corev1.Secret).Finalizers) > 0
}

var _ = []any{(*yard).watch, (*yard).guarded}

// sweep begins with its loop.
func (c *controller) sweep(name string) {
	go func() {
		for {
			node, err := c.nodeLister.Get(name)
			if err != nil {
				return
			}
			node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @49 "it comes from the cache here, and is not copied"
		}
	}()
}

var _ = (*controller).sweep

// patient begins with its loop, and writes to what it is given.
func patient(node *corev1.Node, ready func() bool) {
	for {
		node.Spec.Unschedulable = true
		if ready() {
			return
		}
	}
}

func (c *controller) wait(name string, ready func() bool) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	patient(node, ready) // want callee "patient (handlers.go:63) writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @71 "it comes from the cache here, and is not copied" @63 "it is written to here"
	return nil
}

var _ = (*controller).wait
