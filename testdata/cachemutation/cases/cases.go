// Package cases has controllers that change what a cache has given out, and such that change copies.
package cases

import (
	"context"
	"fmt"

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
	node.Spec.Unschedulable = true // want write "mutates Unschedulable of the Node returned by nodeLister: all readers of the informer cache see the change, even if the request on line 45 fails; modify a DeepCopy" @40 "read from the cache here, without a copy"
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
	pod.Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Pod returned by indexer: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @61 "read from the cache here, without a copy"
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
		pod.Status.Phase = corev1.PodFailed // want write "mutates Phase of the Pod returned by podLister: all readers of the informer cache see the change; modify a DeepCopy" @83 "read from the cache here, without a copy"
	}
	return pods, nil
}

func (c *controller) containers(ns string) {
	pods, _ := c.podLister.Pods(ns).List(labels.Everything())
	for _, pod := range pods {
		for _, container := range pod.Spec.Containers {
			container.Image = ""        // ok: a copy of the element
			container.Env[0].Value = "" // want write "mutates Value of the Pod returned by podLister: all readers of the informer cache see the change; modify a DeepCopy" @96 "read from the cache here, without a copy"
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
	next.Labels["a"] = "b"      // want write "mutates an entry of Labels of the Pod returned by podLister: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @107 "read from the cache here, without a copy"
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
		status.Conditions[i].Message = "" // want write "mutates Message of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @131 "read from the cache here, without a copy"
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
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{}) // want write "mutates Conditions of the Service returned by services: all readers of the informer cache see the change; modify a DeepCopy" @152 "read from the cache here, without a copy"
	return &status
}

func (c *controller) template(ns, name string) *corev1.Pod {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return nil
	}
	made := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: *pod.Spec.DeepCopy()}
	made.Spec.NodeName = ""  // ok: copied
	made.Labels["of"] = name // want write "mutates an entry of Labels of the Pod returned by podLister: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @159 "read from the cache here, without a copy"
	return made
}

func (c *controller) getter(name string) map[string]string {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return nil
	}
	tags := node.GetLabels()
	tags["zone"] = "a" // want write "mutates an entry of Labels of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @170 "read from the cache here, without a copy"
	return tags
}

func (c *controller) accessor(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	if acc, err := meta.Accessor(node); err == nil {
		acc.SetAnnotations(nil) // want write "mutates Annotations of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @180 "read from the cache here, without a copy"
	}
}

func (c *controller) without(name string, i int) []corev1.Taint {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return nil
	}
	return append(node.Spec.Taints[:i], node.Spec.Taints[i+1:]...) // want write "mutates the elements of Taints of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @190 "read from the cache here, without a copy"
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
	node.Spec.Unschedulable = true // want write "mutates Unschedulable of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @223 "read from the cache here, without a copy"
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
		node.Spec.Unschedulable = true // want write "mutates Unschedulable of the Node returned by nodeLister: all readers of the informer cache see the change; modify a DeepCopy" @248 "read from the cache here, without a copy"
		_, err = c.kube.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

func (c *controller) finalizer(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	if controllerutil.AddFinalizer(pod, "example.com/f") { // want write "mutates Finalizers of the Pod returned by podLister: all readers of the informer cache see the change, even if the request on line 265 fails; modify a DeepCopy" @260 "read from the cache here, without a copy"
		return c.client.Update(ctx, pod)
	}
	return nil
}

func (c *controller) sent(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	return c.client.Patch(ctx, pod, client.RawPatch("", nil)) // ok: the answer is what the cache is to have next
}

func (c *controller) replaced(ctx context.Context, ns, name string) error {
	pod, err := c.podLister.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	return c.answered(ctx, pod) // ok: the answer
}

func (c *controller) answered(ctx context.Context, pod *corev1.Pod) error {
	patched, err := c.kube.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, "", nil, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	*pod = *patched
	return nil
}

var errNotYet = fmt.Errorf("not yet")

func prepared(ns string) (string, error) {
	if ns == "" {
		return "", fmt.Errorf("no namespace")
	}
	return "", errNotYet
}

// unreached comes to its read never.
func (c *controller) unreached(ns, name string) error {
	prefix, err := prepared(ns)
	if err != nil {
		return err
	}
	pod, err := c.podLister.Pods(ns).Get(prefix + name)
	if err != nil {
		return err
	}
	pod.Labels = nil // ok
	return nil
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
	return json.Unmarshal(data, &pod.Spec) // want write "mutates the fields of the Pod returned by podLister: all readers of the informer cache see the change; modify a DeepCopy" @327 "read from the cache here, without a copy"
}

func (c *controller) disabled(ctx context.Context) error {
	var pods corev1.PodList
	if err := c.client.List(ctx, &pods, client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	for i := range pods.Items {
		pods.Items[i].Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Pod that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @339 "read from the cache here, without a copy"
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
				pod.Spec.NodeName = "" // ok: what handlers are given is left alone
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
	moved(pod, node)  // want write "moved (cases.go:397) mutates NodeName of the Pod returned by podLister: all readers of the informer cache see the change; pass a DeepCopy" @402 "read from the cache here, without a copy" @397 "written here"
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
	n += both(pod, true)                       // want write "both (cases.go:417) mutates an entry of Annotations of the Pod returned by podLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @426 "read from the cache here, without a copy" @417 "written here"
	return n, nil
}
