// All missing Pods are expected at once, and the first create that fails takes back one of them and leaves the loop: what the turns behind it would have made stays expected until the timeout.
//
//adv:rule=expectttl sub=notlowered claim=yes

package batchrunner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/kubernetes"
	batchlisters "k8s.io/client-go/listers/batch/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"k8s.io/apimachinery/pkg/labels"
)

type runner struct {
	kube     kubernetes.Interface
	jobs     batchlisters.JobLister
	pods     corelisters.PodLister
	expected *ExpectationCache
	events   record.EventRecorder
}

// syncRun is what the work queue calls for each key.
func (r *runner) syncRun(ctx context.Context, key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	job, err := r.jobs.Jobs(ns).Get(name)
	if err != nil {
		r.expected.DeleteExpectations(key)
		return nil
	}
	if !r.expected.SatisfiedExpectations(key) {
		return errors.New("the cache is behind")
	}
	owned, err := r.pods.Pods(ns).List(labels.SelectorFromSet(labels.Set{"batch/run": name}))
	if err != nil {
		return err
	}
	var errs []error
	active := 0
	for _, p := range owned {
		if p.Status.Phase == corev1.PodFailed {
			errs = append(errs, fmt.Errorf("pod %s failed: %s", p.Name, p.Status.Reason))
			continue
		}
		active++
	}
	parallel := 1
	if job.Spec.Parallelism != nil {
		parallel = int(*job.Spec.Parallelism)
	}
	if diff := parallel - active; diff > 0 {
		errs = append(errs, r.scaleUp(ctx, key, job, diff))
	}
	return utilerrors.NewAggregate(errs)
}

func (r *runner) scaleUp(ctx context.Context, key string, job *batchv1.Job, diff int) error {
	logger := klog.FromContext(ctx).WithValues("run", key, "missing", diff)
	logger.V(2).Info("creating pods")
	r.expected.ExpectCreations(key, diff)

	for i := 0; i < diff; i++ {
		pod := podFor(job)
		created, err := r.kube.CoreV1().Pods(job.Namespace).Create(ctx, pod, metav1.CreateOptions{})
		if err != nil {
			r.expected.CreationObserved(key)
			r.events.Eventf(job, corev1.EventTypeWarning, "FailedCreate", "pod %d of %d: %v", i+1, diff, err)
			return fmt.Errorf("create pod %d of %d: %w", i+1, diff, err)
		}
		logger.V(4).Info("created", "pod", klog.KObj(created))
	}
	return nil
}

func podFor(job *batchv1.Job) *corev1.Pod {
	meta := metav1.ObjectMeta{
		GenerateName:    job.Name + "-",
		Namespace:       job.Namespace,
		Labels:          map[string]string{"batch/run": job.Name},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))},
	}
	maps.Copy(meta.Labels, job.Spec.Template.Labels)
	return &corev1.Pod{ObjectMeta: meta, Spec: *job.Spec.Template.Spec.DeepCopy()}
}

// onPod is registered for creations of Pods.
func (r *runner) onPod(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return
	}
	if owner := metav1.GetControllerOf(pod); owner != nil && owner.Kind == "Job" {
		r.expected.CreationObserved(pod.Namespace + "/" + owner.Name)
	}
}

const timeout = 5 * time.Minute
