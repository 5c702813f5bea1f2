package controllers_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/controllers"
)

func TestSchedule(t *testing.T) {
	const every = time.Hour
	for name, test := range map[string]struct {
		age         time.Duration // of the schedule
		expected    bool          // the cache does not show the last backup
		made        int
		least, most time.Duration // until the next look at it
	}{
		"due":      {age: 2 * every, made: 1, least: every, most: every},
		"not due":  {age: every / 2, least: every/2 - time.Minute, most: every / 2},
		"expected": {age: 2 * every, expected: true, least: time.Second, most: 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			schedule := &v1.Schedule{
				ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "nightly", CreationTimestamp: metav1.NewTime(time.Now().Add(-test.age))},
				Spec:       v1.ScheduleSpec{Every: metav1.Duration{Duration: every}, Template: v1.BackupSpec{Cluster: "east", Namespace: "shop"}},
			}
			r := &controllers.ScheduleReconciler{Client: newClient(t, schedule), Expectations: controllers.NewExpectations()}
			req := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(schedule)}
			if test.expected {
				r.Expectations.ExpectCreation(req.String())
			}
			result, err := r.Reconcile(t.Context(), req)
			if err != nil || result.RequeueAfter < test.least || result.RequeueAfter > test.most {
				t.Errorf("%+v, %v", result, err)
			}
			var backups v1.BackupList
			if err := r.List(t.Context(), &backups); err != nil || len(backups.Items) != test.made {
				t.Fatalf("made %+v, %v", backups.Items, err)
			}
			for _, backup := range backups.Items {
				if backup.Labels[v1.ScheduleLabel] != schedule.Name || !metav1.IsControlledBy(&backup, schedule) || backup.Spec != schedule.Spec.Template {
					t.Errorf("made %+v", backup)
				}
			}
		})
	}
}

func TestExpectations(t *testing.T) {
	e := controllers.NewExpectations()
	if ok, _ := e.Satisfied("team/nightly"); !ok {
		t.Error("there is nothing to wait for")
	}
	e.ExpectCreation("team/nightly")
	if ok, waited := e.Satisfied("team/nightly"); ok || waited > time.Minute {
		t.Errorf("%v, %v", ok, waited)
	}
	e.CreationObserved("team/nightly")
	if ok, _ := e.Satisfied("team/nightly"); !ok {
		t.Error("an observed backup is still expected")
	}
}
