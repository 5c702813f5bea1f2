// The predicate compares a digest of the spec that does not cover the time zone, which the reconciler puts into the CronJob: a user who changes it alone waits for ever.
//
//adv:rule=eventfilter sub=fields claim=near
package reportschedule

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// ReportSchedule sends a report again and again.
type ReportSchedule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ReportScheduleSpec `json:"spec"`
}

type ReportScheduleSpec struct {
	Cron       string   `json:"cron"`
	TimeZone   string   `json:"timeZone,omitempty"`
	Query      string   `json:"query"`
	Recipients []string `json:"recipients"`
	// Note is for people.
	Note string `json:"note,omitempty"`
}

func (s *ReportSchedule) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Recipients = append([]string(nil), s.Spec.Recipients...)
	return &out
}

// digest says whether two schedules ask for the same. The note does not count.
func digest(schedule *ReportSchedule) string {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, part := range []any{
		schedule.Spec.Cron,
		schedule.Spec.Query,
		schedule.Spec.Recipients,
	} {
		// Strings and lists of strings can always be encoded.
		_ = enc.Encode(part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func digestChanged() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := e.ObjectOld.(*ReportSchedule), e.ObjectNew.(*ReportSchedule)
			return digest(was) != digest(is)
		},
	}
}

// Reporter makes a CronJob of each schedule.
type Reporter struct {
	client.Client
	scheme *runtime.Scheme
	image  string
}

// Option changes a Reporter.
type Option func(*Reporter)

// WithImage sets the image of the mailer.
func WithImage(image string) Option { return func(r *Reporter) { r.image = image } }

// SetupReporter makes a reporter and registers it.
func SetupReporter(mgr ctrl.Manager, options ...Option) error {
	r := &Reporter{Client: mgr.GetClient(), scheme: mgr.GetScheme(), image: "reports/mailer:stable"}
	for _, o := range options {
		o(r)
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("reports").
		For(&ReportSchedule{}, builder.WithPredicates(digestChanged())).
		Complete(r)
}

func (r *Reporter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	schedule := &ReportSchedule{}
	if err := r.Get(ctx, req.NamespacedName, schedule); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cron := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: "report-" + schedule.Name, Namespace: schedule.Namespace}}
	result, err := controllerutil.CreateOrPatch(ctx, r.Client, cron, func() error {
		r.shape(schedule, cron)
		return controllerutil.SetControllerReference(schedule, cron, r.scheme)
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("applying cron job %s: %w", cron.Name, err)
	}
	ctrl.LoggerFrom(ctx).V(1).Info("Cron job applied", "result", result)
	return ctrl.Result{}, nil
}

func (r *Reporter) shape(schedule *ReportSchedule, cron *batchv1.CronJob) {
	cron.Spec.Schedule = schedule.Spec.Cron
	cron.Spec.TimeZone = nil
	if zone := schedule.Spec.TimeZone; zone != "" {
		cron.Spec.TimeZone = ptr.To(zone)
	}
	cron.Spec.ConcurrencyPolicy = batchv1.ForbidConcurrent
	pod := &cron.Spec.JobTemplate.Spec.Template.Spec
	pod.RestartPolicy = corev1.RestartPolicyNever
	if len(pod.Containers) == 0 {
		pod.Containers = []corev1.Container{{Name: "mailer"}}
	}
	pod.Containers[0].Image = r.image
	pod.Containers[0].Args = append([]string{"--query", schedule.Spec.Query, "--to"}, schedule.Spec.Recipients...)
}
