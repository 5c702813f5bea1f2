// Reconcile leaves the expectations of a topic that is gone alone: the handler of the topics' own deletions has dropped them already.
//
//adv:rule=expectttl sub=neverdeleted claim=no

package kafkatopics

import (
	"context"
	"errors"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Topic struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TopicSpec   `json:"spec,omitempty"`
	Status            TopicStatus `json:"status,omitempty"`
}

type TopicSpec struct {
	Partitions int32  `json:"partitions"`
	Brokers    string `json:"brokers"`
}

type TopicStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

func (t *Topic) DeepCopyObject() runtime.Object {
	if t == nil {
		return nil
	}
	c := new(Topic)
	*c = *t
	c.ObjectMeta = *t.ObjectMeta.DeepCopy()
	return c
}

var errCacheBehind = errors.New("jobs of the topic are not in the cache yet")

type topicReconciler struct {
	c   client.Client
	exp *jobExpectations
}

func (r *topicReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	topic := &Topic{}
	if err := r.c.Get(ctx, req.NamespacedName, topic); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !topic.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, nil
	}
	if !r.exp.SatisfiedExpectations(req.String()) {
		return reconcile.Result{}, errCacheBehind
	}
	if topic.Status.ObservedGeneration == topic.Generation {
		return reconcile.Result{}, nil
	}
	jobs := &batchv1.JobList{}
	if err := r.c.List(ctx, jobs, client.InNamespace(topic.Namespace), client.MatchingLabels{topicLabel: topic.Name}); err != nil {
		return reconcile.Result{}, fmt.Errorf("list jobs: %w", err)
	}
	gen := fmt.Sprint(topic.Generation)
	for i := range jobs.Items {
		j := &jobs.Items[i]
		if j.Annotations["kafka.example.com/generation"] != gen {
			continue
		}
		if j.Status.Succeeded == 0 {
			return reconcile.Result{RequeueAfter: 10 * time.Second}, nil
		}
		topic.Status.ObservedGeneration = topic.Generation
		return reconcile.Result{}, r.c.Status().Update(ctx, topic)
	}
	return reconcile.Result{}, r.alter(ctx, req.String(), topic, gen)
}

func (r *topicReconciler) alter(ctx context.Context, key string, topic *Topic, gen string) error {
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   topic.Namespace,
			Name:        topic.Name + "-" + utilrand.String(5),
			Labels:      map[string]string{topicLabel: topic.Name},
			Annotations: map[string]string{"kafka.example.com/generation": gen},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "kafka.example.com/v1", Kind: "Topic", Name: topic.Name, UID: topic.UID,
			}},
		},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{
				Name: "kafka-topics", Image: "bitnami/kafka",
				Args: []string{"--alter", "--topic", topic.Name, "--partitions", fmt.Sprint(topic.Spec.Partitions), "--bootstrap-server", topic.Spec.Brokers},
			}},
		}}},
	}
	r.exp.ExpectCreations(key, 1)
	if err := r.c.Create(ctx, job); err != nil {
		r.exp.CreationObserved(key)
		return fmt.Errorf("create job: %w", err)
	}
	return nil
}
