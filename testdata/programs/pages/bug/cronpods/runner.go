// The Job for a manual run gets the template's label map of the cached CronJob, and the run's own labels are written into it, so that all later Jobs of the CronJob are taken for manual runs of the same person.
//
//adv:rule=cachemutation sub=alias claim=yes

package cronpods

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	batchlisters "k8s.io/client-go/listers/batch/v1"
	"k8s.io/klog/v2"
)

const (
	byLabel     = "runs.acme.io/by"
	manualLabel = "runs.acme.io/manual"
)

// Runner starts Jobs of CronJobs when somebody asks for it.
type Runner struct {
	jobs      batchclient.JobsGetter
	cronJobs  batchlisters.CronJobLister
	jobLister batchlisters.JobLister
	now       func() time.Time
}

// NewRunner makes a runner; the factory is started by the caller.
func NewRunner(kube kubernetes.Interface, f informers.SharedInformerFactory) *Runner {
	return &Runner{
		jobs:      kube.BatchV1(),
		cronJobs:  f.Batch().V1().CronJobs().Lister(),
		jobLister: f.Batch().V1().Jobs().Lister(),
		now:       time.Now,
	}
}

// ServeHTTP starts the CronJob that the path names.
func (r *Runner) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	user := req.Header.Get("X-Remote-User")
	job, err := r.run(req.Context(), req.PathValue("namespace"), req.PathValue("name"), user)
	switch {
	case apierrors.IsNotFound(err):
		w.WriteHeader(http.StatusNotFound)
		return
	case err != nil:
		klog.FromContext(req.Context()).Error(err, "manual run failed", "user", user)
		http.Error(w, "could not start the job", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]string{"job": job.Name}); err != nil {
		klog.FromContext(req.Context()).V(2).Info("client has left", "err", err)
	}
}

func (r *Runner) run(ctx context.Context, namespace, name, user string) (*batchv1.Job, error) {
	cron, err := r.cronJobs.CronJobs(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	if busy, err := r.busy(cron); err != nil {
		return nil, err
	} else if busy && cron.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent {
		return nil, fmt.Errorf("%s/%s is running, and must not run twice", namespace, name)
	}

	tmpl := &cron.Spec.JobTemplate
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       namespace,
			Name:            fmt.Sprintf("%s-manual-%d", name, r.now().Unix()),
			Labels:          tmpl.Labels,
			Annotations:     map[string]string{"cronjob.kubernetes.io/instantiate": "manual"},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(cron, batchv1.SchemeGroupVersion.WithKind("CronJob"))},
		},
		Spec: *tmpl.Spec.DeepCopy(),
	}
	for k, v := range tmpl.Annotations {
		job.Annotations[k] = v
	}
	if job.Labels == nil {
		job.Labels = make(map[string]string, 2)
	}
	job.Labels[manualLabel] = "true"
	if user != "" {
		job.Labels[byLabel] = user
	}
	return r.jobs.Jobs(namespace).Create(ctx, job, metav1.CreateOptions{})
}

func (r *Runner) busy(cron *batchv1.CronJob) (bool, error) {
	for _, ref := range cron.Status.Active {
		job, err := r.jobLister.Jobs(cron.Namespace).Get(ref.Name)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if job.Status.CompletionTime == nil {
			return true, nil
		}
	}
	return false, nil
}
