// Package cases has controllers that change what a cache has given out, and such that change copies.
package cases

import (
	"context"
	"encoding/json"
	"maps"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type controller struct {
	nodeLister listers.NodeLister
	podLister  listers.PodLister
	services   listers.ServiceLister
	indexer    cache.Indexer
	own        cache.Store
	kube       kubernetes.Interface
	client     client.Client
}

func newController() *controller {
	return &controller{own: cache.NewStore(cache.MetaNamespaceKeyFunc)}
}

func (c *controller) cordon(ctx context.Context, name string) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, even if the request at line 43 fails; change a DeepCopy" @38 "it comes from the cache here, and is not copied"
	_, err = c.kube.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

func (c *controller) cordonCopy(ctx context.Context, name string) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	node = node.DeepCopy()
	node.Spec.Unschedulable = true
	_, err = c.kube.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

func (c *controller) label(key string) error {
	obj, exists, err := c.indexer.GetByKey(key)
	if err != nil || !exists {
		return err
	}
	pod := obj.(*corev1.Pod)
	pod.Labels["seen"] = "yes" // want write "this writes an entry of Labels of the Pod that indexer still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @59 "it comes from the cache here, and is not copied"
	return nil
}

// expected keeps what is no object of the cluster.
type expected struct{ n int }

func (c *controller) expect(key string) {
	if obj, exists, _ := c.indexer.GetByKey(key); exists {
		obj.(*expected).n++ // ok: no object
	}
	if obj, exists, _ := c.own.GetByKey(key); exists {
		obj.(*corev1.Pod).Labels["n"] = "1" // ok: the package keeps its own pods there
	}
}

func (c *controller) all() ([]*corev1.Pod, error) {
	pods, err := c.podLister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	sort.Slice(pods, func(i, j int) bool { return pods[i].Name < pods[j].Name }) // ok: the slice is the caller's
	pods[0] = nil                                                                // ok
	for _, pod := range pods {
		pod.Status.Phase = corev1.PodFailed // want write "this writes Phase of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @81 "it comes from the cache here, and is not copied"
	}
	return pods, nil
}

func (c *controller) containers(ns string) {
	pods, _ := c.podLister.Pods(ns).List(labels.Everything())
	for _, pod := range pods {
		for _, container := range pod.Spec.Containers {
			container.Image = ""        // ok: a copy of the element
			container.Env[0].Value = "" // want deep "this writes Value of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @94 "it comes from the cache here, and is not copied"
		}
		sort.Slice(pod.Spec.Containers, func(i, j int) bool { return i < j })
	}
}

func (c *controller) shallow(ns, name string) *corev1.Pod {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	next := *pod
	next.Name = "other" // ok: its own
	next.Annotations = map[string]string{}
	next.Annotations["a"] = "b" // ok: its own map
	next.Labels["a"] = "b"      // want shallow "this writes an entry of Labels of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @105 "it comes from the cache here, and is not copied"
	return &next
}

func (c *controller) shallowCloned(ns, name string) *corev1.Pod {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	next := *pod
	next.Labels = maps.Clone(pod.Labels)
	next.Labels["a"] = "b" // ok: a map of its own
	return &next
}

func (c *controller) condition(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	status := node.Status
	status.Phase = corev1.NodeRunning // ok
	for i := range status.Conditions {
		status.Conditions[i].Message = "" // want shallow "this writes Message of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @129 "it comes from the cache here, and is not copied"
	}
}

// conditionCopied gives the copy a list of its own before somebody is given its address.
func (c *controller) conditionCopied(ns, name string) *corev1.ServiceStatus {
	shared, _ := c.services.Services(ns).Get(name)
	status := shared.Status
	status.Conditions = append([]metav1.Condition(nil), shared.Status.Conditions...)
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{}) // ok: a list of its own
	return &status
}

func (c *controller) conditionShared(ns, name string) *corev1.ServiceStatus {
	shared, _ := c.services.Services(ns).Get(name)
	status := shared.Status
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{}) // want shallow "this writes Conditions of the Service that services still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @150 "it comes from the cache here, and is not copied"
	return &status
}

func (c *controller) template(ns, name string) *corev1.Pod {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	made := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: *pod.Spec.DeepCopy()}
	made.Spec.NodeName = ""  // ok: copied
	made.Labels["of"] = name // want alias "this writes an entry of Labels of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @157 "it comes from the cache here, and is not copied"
	return made
}

func (c *controller) getter(name string) map[string]string {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return nil
	}
	tags := node.GetLabels()
	tags["zone"] = "a" // want alias "this writes an entry of Labels of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @168 "it comes from the cache here, and is not copied"
	return tags
}

func (c *controller) accessor(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	if acc, err := meta.Accessor(node); err == nil {
		acc.SetAnnotations(nil) // want write "this writes Annotations of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @178 "it comes from the cache here, and is not copied"
	}
}

func (c *controller) without(name string, i int) []corev1.Taint {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return nil
	}
	return append(node.Spec.Taints[:i], node.Spec.Taints[i+1:]...) // want write "this writes the elements of Taints of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @188 "it comes from the cache here, and is not copied"
}

func (c *controller) with(name string) []corev1.Taint {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return nil
	}
	return append(node.Spec.Taints[:len(node.Spec.Taints):len(node.Spec.Taints)], corev1.Taint{}) // ok: a new array
}

// foundOrMade has the cache's only where it was found.
func (c *controller) foundOrMade(ctx context.Context, name string) error {
	node, err := c.nodeLister.Get(name)
	missing := errors.IsNotFound(err)
	if missing {
		node = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	} else if err != nil {
		return err
	}
	if missing {
		node.Spec.Unschedulable = true // ok: it was made
		_, err = c.kube.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		return err
	}
	return nil
}

func (c *controller) foundOrMadeAlike(name string) *corev1.Node {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		node = &corev1.Node{}
	}
	node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @221 "it comes from the cache here, and is not copied"
	return node
}

// again reads into the same variable from the server.
func (c *controller) again(ctx context.Context, name string) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if node, err = c.kube.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{}); err != nil {
			return err
		}
		node.Spec.Unschedulable = true // ok: the server's
		_, err = c.kube.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

func (c *controller) inLiteral(ctx context.Context, name string) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @246 "it comes from the cache here, and is not copied"
		_, err = c.kube.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

func (c *controller) finalizer(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	if controllerutil.AddFinalizer(pod, "example.com/f") { // want write "this writes Finalizers of the Pod that podLister still holds: all who read it there see the change, even if the request at line 263 fails; change a DeepCopy" @258 "it comes from the cache here, and is not copied"
		return c.client.Update(ctx, pod)
	}
	return nil
}

func (c *controller) sent(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	return c.client.Patch(ctx, pod, client.RawPatch("", nil)) // want writeback "Patch writes the server's answer into the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @269 "it comes from the cache here, and is not copied"
}

func (c *controller) deleted(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	return c.client.Delete(ctx, pod) // ok: nothing is decoded
}

func (c *controller) decoded(ns, name string, data []byte) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	next := &corev1.Pod{}
	pod.DeepCopyInto(next)                 // ok: into another one
	next.Labels["a"] = "b"                 // ok
	return json.Unmarshal(data, &pod.Spec) // want write "this writes the fields of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @285 "it comes from the cache here, and is not copied"
}

func (c *controller) disabled(ctx context.Context) error {
	var pods corev1.PodList
	if err := c.client.List(ctx, &pods, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	for i := range pods.Items {
		pods.Items[i].Labels["seen"] = "yes" // want disabled "this writes an entry of Labels of the Pod that the cache of client still holds, since the read does not copy: all who read it there see the change, until the server sends another one; change a DeepCopy" @297 "it comes from the cache here, and is not copied"
	}
	return nil
}

func (c *controller) listed(ctx context.Context) error {
	var pods corev1.PodList
	if err := c.client.List(ctx, &pods); err != nil {
		return err
	}
	for i := range pods.Items {
		pods.Items[i].Labels["seen"] = "yes" // ok: the client copies
	}
	return nil
}

func register(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok {
				pod.Spec.NodeName = "" // want param "this writes NodeName of the Pod that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
			}
		},
		UpdateFunc: func(old, obj any) {
			old.(*corev1.Pod).Spec.NodeName = "" // ok: it has left the cache
			pod := obj.(*corev1.Pod).DeepCopy()
			pod.Spec.NodeName = "" // ok: a copy
		},
		DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok {
				pod.Spec.NodeName = "" // ok: it has left the cache
			}
		},
	})
}

// tree goes round: what is put into itself has no end.
type tree struct {
	Pods  []*corev1.Pod
	Trees []tree
}

func (c *controller) nested(ns, name string, n int) *tree {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	t := tree{Pods: []*corev1.Pod{pod}}
	for range n {
		t = tree{Trees: []tree{t}}
	}
	return &t
}

// lone keeps no store, so that its handlers are the only ones that have the objects.
func lone(lw cache.ListerWatcher) cache.Controller {
	_, informer := cache.NewInformer(lw, &corev1.Pod{}, 0, cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.Pod).Spec.NodeName = "" // ok: nobody else reads it
		},
	})
	return informer
}

func loneToo(lw cache.ListerWatcher) cache.Controller {
	options := cache.InformerOptions{ListerWatcher: lw, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.Pod).Spec.NodeName = "" // ok: nobody else reads it
		},
	}}
	_, informer := cache.NewInformerWithOptions(options)
	return informer
}

func kept(lw cache.ListerWatcher) (cache.Store, cache.Controller) {
	return cache.NewInformer(lw, &corev1.Pod{}, 0, cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			obj.(*corev1.Pod).Spec.NodeName = "" // want param "this writes NodeName of the Pod that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
		},
	})
}

// upsert makes the pod that nobody has made yet, and only that.
func upsert(pod *corev1.Pod, node string) {
	if pod.UID == "" {
		pod.Spec.NodeName = node
	}
}

// moved writes to each.
func moved(pod *corev1.Pod, node string) {
	if pod.UID != "" {
		pod.Spec.NodeName = node
	}
}

func (c *controller) placed(ns, name, node string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	upsert(pod, node) // ok: what the cache has has an identity
	moved(pod, node)  // want callee "moved (cases.go:393) writes NodeName of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @398 "it comes from the cache here, and is not copied" @393 "it is written to here"
	return nil
}

// traits reads annotations, and takes them away where it is told to.
func traits(pod *corev1.Pod, take bool) int {
	n := 0
	for k := range pod.Annotations {
		n++
		if take {
			delete(pod.Annotations, k)
		}
	}
	return n
}

func both(pod *corev1.Pod, take bool) int { return traits(pod, take) }

func (c *controller) counted(ns, name string) (int, error) {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return 0, err
	}
	n := traits(pod, false) + both(pod, false) // ok: it is told not to
	n += both(pod, true)                       // want callee "both (cases.go:413) writes an entry of Annotations of the Pod that podLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @422 "it comes from the cache here, and is not copied" @413 "it is written to here"
	return n, nil
}
