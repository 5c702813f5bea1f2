package maporder

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              JobSpec   `json:"spec,omitempty"`
	Status            JobStatus `json:"status,omitempty"`
}

type JobSpec struct {
	Mode  string            `json:"mode,omitempty"`
	Tasks map[string]string `json:"tasks,omitempty"`
}

type JobStatus struct {
	Phase string       `json:"phase,omitempty"`
	Done  *metav1.Time `json:"done,omitempty"`
	Tasks []string     `json:"tasks,omitempty"`
	Users []string     `json:"users,omitempty"`
}

func (j *Job) DeepCopyObject() runtime.Object { c := *j; return &c }

type jobReconciler struct{ client.Client }

func (r *jobReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch job.Status.Phase {
	case "", "New":
		return ctrl.Result{}, r.start(ctx, job)
	case "Running":
		return ctrl.Result{}, r.fail(ctx, job)
	}
	return ctrl.Result{}, nil
}

// A job that has been started is not new.
func (r *jobReconciler) start(ctx context.Context, job *Job) error {
	job.Status.Phase = "Running"
	for name := range job.Spec.Tasks {
		job.Status.Tasks = append(job.Status.Tasks, name)
	}
	if len(job.Status.Tasks) == 0 {
		return r.fail(ctx, job)
	}
	return r.Status().Update(ctx, job)
}

// The caller in which the tasks are in map order comes here for new jobs alone.
func (r *jobReconciler) fail(ctx context.Context, job *Job) error {
	job.Status.Phase = "Failed"
	return r.Status().Update(ctx, job)
}

type taskReconciler struct{ client.Client }

func (r *taskReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.mounts(ctx, &corev1.Pod{}, job); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.running(ctx, job)
}

type userReconciler struct{ client.Client }

// The comparison of sets finds no difference in the order.
func (r *userReconciler) Users(ctx context.Context, job *Job, users, admins sets.Set[string]) error {
	if users.Equal(sets.New(job.Status.Users...)) && admins.Equal(sets.New(job.Status.Tasks...)) {
		return nil
	}
	job.Status.Tasks = admins.UnsortedList()
	job.Status.Users = users.UnsortedList()
	return r.Status().Update(ctx, job)
}

const (
	none = iota
	update
)

func action(pod *corev1.Pod, job *Job) int {
	if len(pod.Spec.Volumes) < len(job.Spec.Tasks) {
		return update
	}
	return none
}

// A function of this package asks the pod what is to be done.
func (r *taskReconciler) mounts(ctx context.Context, pod *corev1.Pod, job *Job) error {
	if action(pod, job) == update {
		setTasks(pod, job)
		return r.Update(ctx, pod)
	}
	return nil
}

func setTasks(pod *corev1.Pod, job *Job) {
	var volumes []corev1.Volume
	for k := range job.Spec.Tasks {
		volumes = append(volumes, corev1.Volume{Name: k})
	}
	pod.Spec.Volumes = volumes
}

// What the spec says, and that the job goes on, stays so.
func (r *taskReconciler) running(ctx context.Context, job *Job) error {
	if job.Spec.Mode != "all" || job.Status.Done != nil {
		return nil
	}
	job.Status.Tasks = nil
	for name := range job.Spec.Tasks {
		job.Status.Tasks = append(job.Status.Tasks, name) // want maporder "JobStatus.Tasks is in map order, which differs on each reconcile: the object is updated again and again; sort it" @132 "it is stored in JobStatus.Tasks here" @134 "the cluster gets it here"
	}
	return r.Status().Update(ctx, job)
}

type envReconciler struct{ client.Client }

// What is there already is taken out of the map; the rest is added once.
func (r *envReconciler) Rest(ctx context.Context, pod *corev1.Pod, job *Job) error {
	missing := map[string]string{}
	for k, v := range job.Spec.Tasks {
		missing[k] = v
	}
	container := &pod.Spec.Containers[0]
	for _, env := range container.Env {
		delete(missing, env.Name)
	}
	for k, v := range missing {
		container.Env = append(container.Env, corev1.EnvVar{Name: k, Value: v})
	}
	return r.Update(ctx, pod)
}

// A job that exists has its tasks.
func (r *envReconciler) Ensure(ctx context.Context, key client.ObjectKey, tasks map[string]string) error {
	job := &Job{}
	err := r.Get(ctx, key, job)
	if apierrors.IsNotFound(err) {
		for name := range tasks {
			job.Status.Tasks = append(job.Status.Tasks, name)
		}
		return r.Status().Update(ctx, job)
	}
	return err
}

// Events are for people.
func (r *envReconciler) Tell(ctx context.Context, event *corev1.Event, job *Job) error {
	var names []string
	for name := range job.Spec.Tasks {
		names = append(names, name)
	}
	event.Message = strings.Join(names, " ")
	return r.Update(ctx, event)
}
