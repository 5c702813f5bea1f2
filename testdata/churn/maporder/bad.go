// Package maporder has reconcilers that write lists and text in map order, and such that sort them.
package maporder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type App struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              AppSpec   `json:"spec,omitempty"`
	Status            AppStatus `json:"status,omitempty"`
}

type AppSpec struct {
	Options map[string]string `json:"options,omitempty"`
}

type AppStatus struct {
	Ready []string `json:"ready,omitempty"`
}

func (a *App) DeepCopyObject() runtime.Object { c := *a; return &c }

type reconciler struct{ client.Client }

// The list is made by a helper, and put into the object by the function of CreateOrUpdate.
func (r *reconciler) deploy(ctx context.Context, app *App) error {
	dep := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: app.Name, Namespace: app.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, dep, func() error {
		dep.Spec.Template.Spec.Containers = []corev1.Container{{Name: "app", Env: envOf(app)}}
		return nil
	})
	return err
}

func envOf(app *App) (env []corev1.EnvVar) {
	for k, v := range app.Spec.Options {
		env = append(env, corev1.EnvVar{Name: k, Value: v}) // want maporder "Container.Env is in map order, which differs on each reconcile: the object is updated again and again; sort it" @47 "it is stored in Container.Env here" @46 "the cluster gets it here"
	}
	return env
}

// A comparison decides about the update.
func (r *reconciler) status(ctx context.Context, app *App, ready map[string]bool) error {
	status := AppStatus{}
	for name := range ready {
		if ready[name] {
			status.Ready = append(status.Ready, name) // want maporder "AppStatus.Ready is in map order, which differs on each reconcile: the object is updated again and again; sort it" @65 "it is stored in AppStatus.Ready here" @72 "the cluster gets it here"
		}
	}
	if reflect.DeepEqual(app.Status, status) {
		return nil
	}
	app.Status = status
	return r.Status().Update(ctx, app)
}

// Text that a restart hangs on.
func (r *reconciler) annotate(ctx context.Context, pods *appsv1.DaemonSet, app *App) error {
	keys := slices.Collect(maps.Keys(app.Spec.Options)) // want maporder "ObjectMeta.Annotations is in map order, which differs on each reconcile: the object is updated again and again; sort it" @81 "it is stored in ObjectMeta.Annotations here" @82 "the cluster gets it here"
	if pods.Spec.Template.Annotations == nil {
		pods.Spec.Template.Annotations = map[string]string{}
	}
	pods.Spec.Template.Annotations["options"] = strings.Join(keys, ",")
	return r.Update(ctx, pods)
}

// A hash of text in map order.
func (r *reconciler) hashed(ctx context.Context, pods *appsv1.StatefulSet, app *App) error {
	var text strings.Builder
	for k, v := range app.Spec.Options {
		fmt.Fprintf(&text, "%s=%s\n", k, v) // want maporder "ObjectMeta.Annotations is in map order, which differs on each reconcile: the object is updated again and again; sort it" @92 "it is stored in ObjectMeta.Annotations here" @93 "the cluster gets it here"
	}
	sum := sha256.Sum256([]byte(text.String()))
	pods.Spec.Template.Annotations["hash"] = hex.EncodeToString(sum[:])
	return r.Update(ctx, pods)
}

// A list that is filled by index, and one that a set gives, in the order of that.
func (r *reconciler) filled(ctx context.Context, pod *corev1.Pod, app *App) error {
	args := make([]string, len(app.Spec.Options))
	i := 0
	for k := range app.Spec.Options {
		args[i] = "--" + k // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @104 "it is stored in Container.Args here" @110 "the cluster gets it here"
		i++
	}
	pod.Spec.Containers[0].Args = args
	var mounts []corev1.VolumeMount
	for _, name := range sets.New("a", "b").UnsortedList() { // want maporder "Container.VolumeMounts is in map order, which differs on each reconcile: the object is updated again and again; sort it" @109 "it is stored in Container.VolumeMounts here" @110 "the cluster gets it here"
		mounts = append(mounts, corev1.VolumeMount{Name: name})
	}
	pod.Spec.Containers[0].VolumeMounts = mounts
	return r.Update(ctx, pod)
}

// Many entries can have the same value.
func (r *reconciler) enabled(ctx context.Context, pod *corev1.Pod, app *App) error {
	var args []string
	for k, v := range app.Spec.Options {
		if v == "on" {
			args = append(args, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @121 "it is stored in Container.Args here" @122 "the cluster gets it here"
		}
	}
	pod.Spec.Containers[0].Args = args
	return r.Update(ctx, pod)
}

// Of two fields that get the list, the one that is written is named.
func (r *reconciler) printed(ctx context.Context, pod *corev1.Pod, app *App) error {
	var args []string
	for k := range app.Spec.Options {
		args = append(args, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @133 "it is stored in Container.Args here" @134 "the cluster gets it here"
	}
	shown := corev1.Container{Command: args}
	fmt.Println(shown)
	pod.Spec.Containers[0].Args = args
	return r.Update(ctx, pod)
}

// A function literal that is called by its name stores the list, and the caller writes the object.
func (r *reconciler) literal(ctx context.Context, pod *corev1.Pod, app *App) error {
	setFrom(pod, app)
	return r.Update(ctx, pod)
}

func setFrom(pod *corev1.Pod, app *App) {
	set := func(args []string) { pod.Spec.Containers[0].Args = args }
	var args []string
	for k := range app.Spec.Options {
		args = append(args, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @144 "it is stored in Container.Args here" @140 "the cluster gets it here"
	}
	set(args)
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	_, _, _, _, _ = r.deploy(ctx, app), r.status(ctx, app, nil), r.annotate(ctx, nil, app), r.hashed(ctx, nil, app), r.filled(ctx, nil, app)
	_, _, _ = r.enabled(ctx, nil, app), r.printed(ctx, nil, app), r.literal(ctx, nil, app)
	_, _, _, _ = r.values(ctx, nil), r.twice(ctx, nil, nil, ""), r.hidden(ctx, nil, nil), r.left(ctx, nil, app, nil, nil)
	return ctrl.Result{}, r.good(ctx, app)
}
