// Package persist changes finalizers in memory, and writes them or not.
package persist

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	cs   kubernetes.Interface
	pods listers.PodLister
}

// forgotten writes nothing.
func (r *reconciler) forgotten(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pod, guard) // want notpersisted "pod loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).forgotten, and the change is lost"
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, nil
}

// copied changes a copy from the cache.
func (r *reconciler) copied(ctx context.Context, ns, name string) error {
	cached, err := r.pods.Pods(ns).Get(name)
	if err != nil {
		return err
	}
	pod := cached.DeepCopy()
	drop(pod) // want notpersisted "pod loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).copied, and the change is lost"
	return nil
}

func drop(pod *corev1.Pod) {
	pod.Finalizers = sets.NewString(pod.Finalizers...).Delete(guard).List()
}

// statusOnly writes the status.
func (r *reconciler) statusOnly(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	pod.Finalizers = append(pod.Finalizers, guard) // want statusonly "pod gets a finalizer here in memory only: the write at line 67 is one of its status, and the API server ignores metadata there; update the object itself" @67 "the only write that follows"
	return r.Status().Update(ctx, pod)
}

// updateStatus does so with a client set.
func (r *reconciler) updateStatus(ctx context.Context, ns, name string) error {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	pod.SetFinalizers(remove(pod.GetFinalizers(), guard)) // want statusonly "pod loses a finalizer here in memory only: the write at line 77 is one of its status, and the API server ignores metadata there; update the object itself" @77 "the only write that follows"
	_, err = r.cs.CoreV1().Pods(ns).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

func remove(list []string, s string) []string {
	for i, x := range list {
		if x == s {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}

// wrong removes what it should add.
func (r *reconciler) wrong(ctx context.Context, pod *corev1.Pod) error {
	if slices.Contains(pod.Finalizers, guard) {
		return nil
	}
	next := pod.DeepCopy()
	next.Finalizers = remove(next.Finalizers, guard) // want notpersisted "next stays as it is: line 92 has looked, and this removes a finalizer that is not there, so that the write after it changes nothing" @92 "the test that has found it so"
	return r.Patch(ctx, next, client.MergeFrom(pod))
}

// updated is right.
func (r *reconciler) updated(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	if controllerutil.AddFinalizer(pod, guard) { // ok: written
		return r.Update(ctx, pod)
	}
	return nil
}

// flag writes where something has changed.
func (r *reconciler) flag(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	changed := false
	if controllerutil.RemoveFinalizer(pod, guard) { // ok: the flag
		changed = true
	}
	if changed {
		return r.Update(ctx, pod)
	}
	return nil
}

// deferred writes at the end.
func (r *reconciler) deferred(ctx context.Context, key client.ObjectKey) (err error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	base := pod.DeepCopy()
	defer func() { err = r.Patch(ctx, pod, client.MergeFrom(base)) }()
	controllerutil.AddFinalizer(pod, guard) // ok: the deferred patch
	return nil
}

// A scope writes its object when it is closed.
type scope struct {
	client.Client
	pod, base *corev1.Pod
}

func newScope(c client.Client, pod *corev1.Pod) *scope { return &scope{c, pod, pod.DeepCopy()} }

func (s *scope) close(ctx context.Context) error {
	return s.Patch(ctx, s.pod, client.MergeFrom(s.base))
}

// scoped gives the object to a scope.
func (r *reconciler) scoped(ctx context.Context, key client.ObjectKey) (err error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	s := newScope(r.Client, pod)
	defer func() { err = s.close(ctx) }()
	controllerutil.AddFinalizer(s.pod, guard) // ok: the scope's close
	controllerutil.AddFinalizer(pod, guard)   // ok: the scope's close
	return nil
}

// given leaves the write to its caller.
func (r *reconciler) given(pod *corev1.Pod) bool { // want given:"adds p1 example.com/guard"
	return controllerutil.AddFinalizer(pod, guard) // ok: the caller's object
}

// handed returns the object.
func (r *reconciler) handed(ctx context.Context, key client.ObjectKey) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return nil, err
	}
	controllerutil.AddFinalizer(pod, guard) // ok: returned
	return pod, nil
}

// asText computes a patch of its own.
func (r *reconciler) asText(ctx context.Context, ns, name string) error {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	next := pod.DeepCopy()
	drop(next) // ok: in the patch
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	_, err = r.cs.CoreV1().Pods(ns).Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{})
	return err
}

// retried gets, changes and writes in each attempt.
func (r *reconciler) retried(ctx context.Context, key client.ObjectKey) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		pod := &corev1.Pod{}
		if err := r.Get(ctx, key, pod); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(pod, guard) // ok: written in the same attempt
		return r.Update(ctx, pod)
	})
}

// mutated is written by CreateOrUpdate.
func (r *reconciler) mutated(ctx context.Context, ns string) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x", Namespace: ns}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		controllerutil.AddFinalizer(cm, guard) // ok: CreateOrUpdate writes it
		return nil
	})
	return err
}

// each writes in a loop.
func (r *reconciler) each(ctx context.Context) error {
	list := &corev1.PodList{}
	if err := r.List(ctx, list); err != nil {
		return err
	}
	for i := range list.Items {
		pod := &list.Items[i]
		if controllerutil.RemoveFinalizer(pod, guard) { // ok: written
			if err := r.Update(ctx, pod); err != nil {
				return err
			}
		}
	}
	return nil
}

// compared changes a copy only to compare it.
func (r *reconciler) compared(ctx context.Context, key client.ObjectKey, other *corev1.Pod) (bool, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return false, err
	}
	next := pod.DeepCopy()
	controllerutil.RemoveFinalizer(next, guard) // ok: only looked at
	bare := pod.DeepCopy()
	bare.Finalizers = nil // ok: only looked at
	return reflect.DeepEqual(next, other) || reflect.DeepEqual(bare.ObjectMeta, other.ObjectMeta), nil
}

// take works on anything that has metadata.
func take(obj runtime.Object) error {
	m, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	var rest []string
	for _, f := range m.GetFinalizers() {
		if f == guard {
			continue
		}
		rest = append(rest, f)
	}
	m.SetFinalizers(rest)
	return nil
}

// accessor goes through the accessor of the metadata, and forgets to write.
func (r *reconciler) accessor(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	if err := take(pod); err != nil { // want notpersisted "pod loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).accessor, and the change is lost"
		return err
	}
	return nil
}

var _ = []any{
	(*reconciler).accessor,
	(*reconciler).compared,
	(*reconciler).forgotten, (*reconciler).copied, (*reconciler).statusOnly, (*reconciler).updateStatus, (*reconciler).wrong, (*reconciler).updated, (*reconciler).flag,
	(*reconciler).deferred, (*reconciler).scoped, (*reconciler).given, (*reconciler).handed, (*reconciler).asText, (*reconciler).retried, (*reconciler).mutated, (*reconciler).each,
}

// mutatedCopy is written by whom the function is given to.
func (r *reconciler) mutatedCopy(ctx context.Context, pod *corev1.Pod) error {
	copied := pod.DeepCopy()
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, copied, func() error {
		copied.Labels = pod.Labels
		controllerutil.AddFinalizer(copied, guard)
		return nil
	})
	return err
}

// marshalledMap puts the finalizers that are left into a patch.
func (r *reconciler) marshalledMap(ctx context.Context, req ctrl.Request) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pod, guard)
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": pod.Finalizers}})
	if err != nil {
		return err
	}
	_, err = r.cs.CoreV1().Pods(req.Namespace).Patch(ctx, req.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// printedOnly writes nothing all the same.
func (r *reconciler) printedOnly(ctx context.Context, req ctrl.Request) (int, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return 0, err
	}
	controllerutil.RemoveFinalizer(pod, guard) // want notpersisted "pod loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).printedOnly, and the change is lost"
	return len(pod.Finalizers), nil
}

// has is a question that a method asks for its callers.
type held struct {
	client.Client
	pod *corev1.Pod
}

func (h *held) has() bool { return controllerutil.ContainsFinalizer(h.pod, guard) }

func (h *held) patch(ctx context.Context, pod *corev1.Pod, change func(*corev1.Pod)) error {
	base := client.MergeFrom(pod.DeepCopy())
	change(pod)
	return h.Patch(ctx, pod, base)
}

// invertedAdd adds what it has found to be there.
func (h *held) invertedAdd(ctx context.Context) error {
	if !h.has() {
		return nil
	}
	return h.patch(ctx, h.pod, func(pod *corev1.Pod) { // want notpersisted "h.pod stays as it is: line 336 has looked, and this adds a finalizer that is there, so that the write after it changes nothing" @336 "the test that has found it so"
		controllerutil.AddFinalizer(pod, guard)
	})
}

// invertedRemove removes what it has found to be missing.
func (h *held) invertedRemove(ctx context.Context) error {
	if h.has() {
		return nil
	}
	return h.patch(ctx, h.pod, func(*corev1.Pod) { // want notpersisted "h.pod stays as it is: line 346 has looked, and this removes a finalizer that is not there, so that the write after it changes nothing" @346 "the test that has found it so"
		controllerutil.RemoveFinalizer(h.pod, guard)
	})
}

// rightAdd and rightRemove look the right way round.
func (h *held) rightAdd(ctx context.Context) error {
	if h.has() {
		return nil
	}
	return h.patch(ctx, h.pod, func(pod *corev1.Pod) {
		controllerutil.AddFinalizer(pod, guard) // ok: it is not there
	})
}

func (h *held) rightRemove(ctx context.Context) error {
	if !h.has() {
		return nil
	}
	return h.patch(ctx, h.pod, func(pod *corev1.Pod) {
		controllerutil.RemoveFinalizer(pod, guard) // ok: it is there
	})
}

// other looks at another finalizer than the one that it adds.
func (h *held) other(ctx context.Context) error {
	if !h.has() {
		return nil
	}
	return h.patch(ctx, h.pod, func(pod *corev1.Pod) {
		controllerutil.AddFinalizer(pod, "example.com/other") // ok: nothing is known of this one
	})
}

// cleanedFirst calls a helper that removes the finalizer among other things.
func (h *held) cleanedFirst(ctx context.Context) error {
	if h.has() {
		return nil
	}
	return h.finish(ctx)
}

func (h *held) finish(ctx context.Context) error {
	h.pod.Labels["finished"] = "yes"
	controllerutil.RemoveFinalizer(h.pod, guard) // ok: finish does more than that, and has other callers in mind
	return h.Update(ctx, h.pod)
}

var _ = []any{(*held).invertedAdd, (*held).invertedRemove, (*held).rightAdd, (*held).rightRemove, (*held).other, (*held).cleanedFirst}

// compares has copies without finalizers.
func (r *reconciler) compares(ctx context.Context, key client.ObjectKey) error {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, key, cm); err != nil {
		return err
	}
	is := cm.DeepCopy()
	is.Data = map[string]string{"seen": "yes"}
	if !sameData(*cm, *is) { // ok: these are others
		panic("they differ")
	}
	return nil
}

func sameData(a, b corev1.ConfigMap) bool {
	a.Finalizers, b.Finalizers = []string{}, []string{}
	return reflect.DeepEqual(a.Data, b.Data)
}

// saves has a helper that writes a copy.
func (r *reconciler) saves(ctx context.Context, key client.ObjectKey) error {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, key, cm); err != nil {
		return err
	}
	controllerutil.AddFinalizer(cm, guard) // ok: the copy has it, too
	return r.save(ctx, *cm)
}

func (r *reconciler) save(ctx context.Context, cm corev1.ConfigMap) error { return r.Update(ctx, &cm) }
