// When the Job cannot be given its deadline annotation, warm returns the error and leaves the image in the set of those under way, so every later attempt for that image is turned away.
//
//adv:rule=expectttl sub=inflight claim=near

package imagewarm

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Warmer pulls the images that Nodes ask for by annotation.
type Warmer struct {
	client.Client
	Namespace string

	mu      sync.Mutex
	pulling sets.Set[string]
}

func (w *Warmer) SetupWithManager(mgr ctrl.Manager) error {
	w.pulling = sets.New[string]()
	return ctrl.NewControllerManagedBy(mgr).
		Named("imagewarm").
		For(&corev1.Node{}).
		WithEventFilter(annotated()).
		Complete(w)
}

func (w *Warmer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := &corev1.Node{}
	if err := w.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, image := range wanted(node) {
		busy, err := w.warm(ctx, node, image)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("warming %s on %s: %w", image, node.Name, err)
		}
		if busy {
			return ctrl.Result{RequeueAfter: 20 * time.Second}, nil
		}
	}
	return ctrl.Result{}, nil
}

// begin says no where somebody else is at it.
func (w *Warmer) begin(ref string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pulling.Has(ref) {
		return false
	}
	w.pulling.Insert(ref)
	return true
}

func (w *Warmer) end(ref string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pulling.Delete(ref)
}

func (w *Warmer) warm(ctx context.Context, node *corev1.Node, image string) (busy bool, err error) {
	logger := log.FromContext(ctx).WithValues("image", image)
	ref := node.Name + "@" + image
	if !w.begin(ref) {
		logger.V(1).Info("another worker is at it")
		return true, nil
	}

	job := pullJob(w.Namespace, node, image)
	if err := w.Create(ctx, job); err != nil {
		w.end(ref)
		if apierrors.IsAlreadyExists(err) {
			return false, nil
		}
		return false, err
	}
	base := job.DeepCopy()
	metav1.SetMetaDataAnnotation(&job.ObjectMeta, "warm.example.com/until", time.Now().Add(time.Hour).Format(time.RFC3339))
	if err := w.Patch(ctx, job, client.MergeFrom(base)); err != nil {
		logger.Error(err, "no deadline on the job")
		return false, fmt.Errorf("annotate job: %w", err)
	}
	w.end(ref)
	return false, nil
}

func pullJob(ns string, node *corev1.Node, image string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ns,
			Name:      fmt.Sprintf("pull-%x", sha256.Sum256([]byte(node.Name+image)))[:40],
		},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			NodeName:      node.Name,
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "pull", Image: image, Command: []string{"true"}}},
		}}},
	}
}
