// Package circles has variables that are made of themselves: each is stored once, and what is stored reads it, or reads another
// one that reads it. No rule has anything to say of them, and each has to come to an end.
package circles

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type r struct{ client.Client }

// Reconcile and the functions below it store each variable in a closure, where what is stored is made of the other one.
func (r *r) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod, pod2 *corev1.Pod
	func() { pod = pod2.DeepCopy() }()
	func() { pod2 = pod.DeepCopy() }()
	var err, err2 error
	func() { err = fmt.Errorf("x: %w", err2) }()
	func() { err2 = fmt.Errorf("x: %w", err) }()
	if err != nil {
		return ctrl.Result{}, err
	}
	var fin, fin2 []string
	func() { fin = append(fin2, pod.Finalizers...) }()
	func() { fin2 = fin[1:] }()
	pod.Finalizers = fin
	pod.Finalizers = fin2
	if pod.DeletionTimestamp != nil {
		pod.Finalizers = pod.Finalizers[:0]
		return ctrl.Result{}, r.Update(ctx, pod)
	}
	var c, c2 client.Client
	func() { c = client.NewNamespacedClient(c2, "x") }()
	func() { c2 = client.NewDryRunClient(c) }()
	c.Status()
	return ctrl.Result{}, c.Update(ctx, pod)
}

func (r *r) SetupWithManager(m ctrl.Manager) error {
	var p, q predicate.Predicate
	func() {
		p = predicate.And(q, predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return e.ObjectNew.GetGeneration() != 1 }})
	}()
	func() { q = predicate.Or(predicate.Not(p), p) }()
	var preds, preds2 []predicate.Predicate
	func() { preds = append(preds2, preds2...) }()
	func() { preds2 = append(preds, preds...) }()
	return ctrl.NewControllerManagedBy(m).For(&corev1.Pod{}).WithEventFilter(q).WithEventFilter(predicate.Or(preds...)).Complete(r)
}

type node struct {
	mu   sync.Mutex
	next *node
	all  []*node
	i    int
	ch   chan struct{}
	f    func() *node
	ctx  context.Context
	cond *sync.Cond
	wg   *sync.WaitGroup
}

func (n *node) get() *node        { return n.next }
func (n *node) lock() *sync.Mutex { return &n.mu }

func W(f informers.SharedInformerFactory, stop chan struct{}) {
	var h, h2 cache.ResourceEventHandler
	func() {
		h = cache.FilteringResourceEventHandler{FilterFunc: func(o any) bool { return true }, Handler: h2}
	}()
	func() {
		h2 = cache.FilteringResourceEventHandler{FilterFunc: func(o any) bool { return true }, Handler: h}
	}()
	f.Core().V1().Pods().Informer().AddEventHandler(h)
	var s, s2 chan struct{}
	func() { s = append([]chan struct{}{s2}, stop)[0] }()
	func() { s2 = append([]chan struct{}{s}, stop)[0] }()
	cache.WaitForCacheSync(s, f.Core().V1().Pods().Informer().HasSynced)
	var fn, fn2 func() (bool, error)
	func() { fn = func() (bool, error) { return fn2() } }()
	func() { fn2 = func() (bool, error) { return fn() } }()
	_ = wait.PollImmediateUntil(1, fn, s)
	var g, g2 func()
	func() { g = func() { g2() } }()
	func() { g2 = func() { g() } }()
	wait.Until(g, 1, s)
	var n, n2 *node
	func() { n = n2.get() }()
	func() { n2 = n.get() }()
	n.lock().Lock()
	<-n.ch
	n.wg.Wait()
	n.cond.Wait()
	n.lock().Unlock()
	var m, m2 *node
	func() { m = m2.all[m2.i].all[m2.next.i] }()
	func() { m2 = m.all[m.i].all[m.next.i] }()
	m.lock().Lock()
	<-m.ctx.Done()
	m.ch <- struct{}{}
	m.lock().Unlock()
	var ctx, ctx2 context.Context
	func() { ctx = context.WithValue(ctx2, 1, 2) }()
	func() { ctx2 = context.WithValue(ctx, 1, 2) }()
	<-ctx.Done()
	var b, b2 bool
	func() { b = !b2 }()
	func() { b2 = !b }()
	if b {
		<-m.ch
	}
	var i, i2 int
	func() { i = i2 + 1 }()
	func() { i2 = i - 1 }()
	if i > 1 && i2 < 3 {
		<-make(chan struct{}, i)
	}
	var l, l2 sync.Locker
	func() { l = l2.(interface{ X() sync.Locker }).X() }()
	func() { l2 = l.(interface{ X() sync.Locker }).X() }()
	l.Lock()
	defer l.Unlock()
	var ff, ff2 func() func()
	func() { ff = func() func() { return ff2() } }()
	func() { ff2 = func() func() { return ff() } }()
	ff()()
	var t, t2 func()
	func() { t = pick(t2) }()
	func() { t2 = pick(t) }()
	t()
	var fs, fs2 []func()
	func() { fs = append(fs2, fs2[0]) }()
	func() { fs2 = fs[1:] }()
	fs[0]()
	var mm, mm2 map[string]func()
	func() { mm = map[string]func(){"": mm2[""]} }()
	func() { mm2 = map[string]func(){"": mm[""]} }()
	mm[""]()
	var str, str2 string
	func() { str = str2 + "x" }()
	func() { str2 = str + "x" }()
	fmt.Println(str)
}

func pick(f func()) func() { return f }
