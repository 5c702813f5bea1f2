package persist

import (
	"context"
	"encoding/json"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// byHelper has a helper send the patch that it has made of both.
func (r *reconciler) byHelper(ctx context.Context, ns, name string) error {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	was, err := json.Marshal(pod)
	if err != nil {
		return err
	}
	next := pod.DeepCopy()
	drop(next) // ok: in the patch
	now, err := json.Marshal(next)
	if err != nil {
		return err
	}
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(was, now, was)
	if err != nil {
		return err
	}
	return r.send(ctx, ns, name, patch)
}

func (r *reconciler) send(ctx context.Context, ns, name string, patch []byte) error {
	_, err := r.cs.CoreV1().Pods(ns).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// measured has the text only to say how long it is.
func (r *reconciler) measured(ctx context.Context, ns, name string) (bool, error) {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	next := pod.DeepCopy()
	drop(next) // want notpersisted "next loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).measured, and the change is lost"
	now, err := json.Marshal(next)
	if err != nil {
		return false, err
	}
	return len(now) > 100, nil
}

// byMap has a helper put the finalizers into a patch.
func (r *reconciler) byMap(ctx context.Context, ns, name string) error {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	next := pod.DeepCopy()
	drop(next) // ok: in the patch
	return r.write(ctx, next)
}

func (r *reconciler) write(ctx context.Context, pod *corev1.Pod) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string][]string{"finalizers": pod.GetFinalizers()}})
	if err != nil {
		return err
	}
	_, err = r.cs.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// byLabels puts something else there.
func (r *reconciler) byLabels(ctx context.Context, ns, name string) error {
	pod, err := r.cs.CoreV1().Pods(ns).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	next := pod.DeepCopy()
	drop(next) // want notpersisted "next loses a finalizer here in memory only: no Update or Patch of it follows in (*reconciler).byLabels, and the change is lost"
	return r.label(ctx, next)
}

func (r *reconciler) label(ctx context.Context, pod *corev1.Pod) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": pod.GetLabels()}})
	if err != nil {
		return err
	}
	_, err = r.cs.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// webhook is one: what it answers with changes the object.
type webhook struct{ decoder admission.Decoder }

func (g *webhook) Handle(_ context.Context, req admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := g.decoder.Decode(req, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	next := pod.DeepCopy()
	controllerutil.AddFinalizer(next, guard) // ok: in the answer
	text, err := json.Marshal(next)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(req.Object.Raw, text)
}

var _ = []any{(*reconciler).byHelper, (*reconciler).measured, (*reconciler).byMap, (*reconciler).byLabels}
