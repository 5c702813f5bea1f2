package maporder

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func (r *reconciler) good(ctx context.Context, app *App) error {
	dep, pod, cm := &appsv1.Deployment{}, &corev1.Pod{}, &corev1.ConfigMap{}
	for _, err := range []error{
		r.sortedKeys(ctx, dep, app), r.sortedLater(ctx, dep, app), r.sortedInCallee(ctx, pod, app), r.inner(ctx, pod, nil), r.asMap(ctx, cm, app),
		r.asSet(ctx, pod, app), r.one(ctx, pod), r.onlyOnce(ctx, app), r.onCreation(ctx, app), r.requests(ctx, app), r.byOwnRule(ctx, dep, app), r.picks(ctx, pod, app),
		r.merged(ctx, pod, app), r.repaired(ctx, pod, app),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reconciler) sortedKeys(ctx context.Context, dep *appsv1.Deployment, app *App) error {
	var env []corev1.EnvVar
	for _, k := range slices.Sorted(maps.Keys(app.Spec.Options)) {
		env = append(env, corev1.EnvVar{Name: k, Value: app.Spec.Options[k]})
	}
	dep.Spec.Template.Spec.Containers[0].Env = env
	return r.Update(ctx, dep)
}

func (r *reconciler) sortedLater(ctx context.Context, dep *appsv1.Deployment, app *App) error {
	env := envLater(app)
	dep.Spec.Template.Spec.Containers[0].Env = env
	sort.Slice(dep.Spec.Template.Spec.Containers[0].Env, func(i, j int) bool { return env[i].Name < env[j].Name })
	return r.Update(ctx, dep)
}

func envLater(app *App) (env []corev1.EnvVar) {
	for k, v := range app.Spec.Options {
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	return env
}

// The setter sorts.
func (r *reconciler) sortedInCallee(ctx context.Context, pod *corev1.Pod, app *App) error {
	var args []string
	for k := range app.Spec.Options {
		args = append(args, k)
	}
	setArgs(pod, args)
	return r.Update(ctx, pod)
}

func setArgs(pod *corev1.Pod, args []string) {
	slices.Sort(args)
	pod.Spec.Containers[0].Args = args
}

// Each entry has a list of its own.
func (r *reconciler) inner(ctx context.Context, pod *corev1.Pod, hosts map[string][]string) error {
	byName := map[string][]string{}
	for name, list := range hosts {
		var args []string
		for _, h := range list {
			args = append(args, name+h)
		}
		byName[name] = args
	}
	pod.Spec.Containers[0].Args = byName[pod.Name]
	return r.Update(ctx, pod)
}

func (r *reconciler) asMap(ctx context.Context, cm *corev1.ConfigMap, app *App) error {
	for k, v := range app.Spec.Options {
		cm.Data[k] = v
	}
	return r.Update(ctx, cm)
}

// The list becomes a set again, which gives its elements in order.
func (r *reconciler) asSet(ctx context.Context, pod *corev1.Pod, app *App) error {
	var names []string
	for k := range app.Spec.Options {
		names = append(names, k)
	}
	pod.Spec.Containers[0].Args = sets.List(sets.New(names...))
	return r.Update(ctx, pod)
}

// A map with one entry has one order.
func (r *reconciler) one(ctx context.Context, pod *corev1.Pod) error {
	options := map[string]string{"level": "debug"}
	var args []string
	for k, v := range options {
		args = append(args, k+v)
	}
	pod.Spec.Containers[0].Args = args
	return r.Update(ctx, pod)
}

// A Job is created, and never updated.
func (r *reconciler) onlyOnce(ctx context.Context, app *App) error {
	job := &batchv1.Job{}
	for k := range app.Spec.Options {
		job.Spec.Template.Spec.Containers[0].Args = append(job.Spec.Template.Spec.Containers[0].Args, k)
	}
	return r.Create(ctx, job)
}

func (r *reconciler) onCreation(ctx context.Context, app *App) error {
	pod := &corev1.Pod{}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, pod, func() error {
		if pod.CreationTimestamp.IsZero() {
			for k := range app.Spec.Options {
				pod.Spec.Containers[0].Args = append(pod.Spec.Containers[0].Args, k)
			}
		}
		return nil
	})
	return err
}

// The order of requests is no property of an object.
func (r *reconciler) requests(ctx context.Context, app *App) error {
	var names []string
	for k := range app.Spec.Options {
		names = append(names, k)
	}
	for _, n := range names {
		cm := &corev1.ConfigMap{}
		cm.Name = n
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return nil
}

// Its own comparison ignores the order.
func (r *reconciler) byOwnRule(ctx context.Context, dep *appsv1.Deployment, app *App) error {
	wanted := dep.DeepCopy()
	for k := range app.Spec.Options {
		wanted.Spec.Template.Spec.Containers[0].Args = append(wanted.Spec.Template.Spec.Containers[0].Args, k)
	}
	if sameArgs(dep, wanted) {
		return nil
	}
	return r.Update(ctx, wanted)
}

func sameArgs(a, b *appsv1.Deployment) bool {
	return sets.New(a.Spec.Template.Spec.Containers[0].Args...).Equal(sets.New(b.Spec.Template.Spec.Containers[0].Args...))
}

// There is one such key at most.
func (r *reconciler) picks(ctx context.Context, pod *corev1.Pod, app *App) error {
	var args []string
	for k, v := range app.Spec.Options {
		if k == pod.Name {
			args = append(args, v)
		}
	}
	pod.Spec.Containers[0].Args = args
	var names []string
	for k := range app.Spec.Options {
		names = append(names, k)
	}
	text, err := json.Marshal(names)
	if err == nil && strings.Contains(string(text), pod.Name) {
		pod.Spec.NodeName = "chosen"
	}
	return r.Patch(ctx, pod, client.MergeFrom(pod.DeepCopy()))
}

// What is stored keeps its order.
func (r *reconciler) merged(ctx context.Context, pod *corev1.Pod, app *App) error {
	for k := range app.Spec.Options {
		if !slices.Contains(pod.Spec.Containers[0].Args, k) {
			pod.Spec.Containers[0].Args = append(pod.Spec.Containers[0].Args, k)
		}
	}
	return r.Update(ctx, pod)
}

// The list is made only where something is missing.
func (r *reconciler) repaired(ctx context.Context, pod *corev1.Pod, app *App) error {
	if hasVolumes(pod, app) {
		return nil
	}
	setVolumes(pod, app)
	return r.Update(ctx, pod)
}

func hasVolumes(pod *corev1.Pod, app *App) bool {
	return len(pod.Spec.Volumes) >= len(app.Spec.Options)
}

func setVolumes(pod *corev1.Pod, app *App) {
	var volumes []corev1.Volume
	for k := range app.Spec.Options {
		volumes = append(volumes, corev1.Volume{Name: k})
	}
	pod.Spec.Volumes = volumes
}

// A function that calls itself with the list that it fills; nobody writes it.
func collect(names *[]string, labels map[string]string, levels int) {
	for name := range labels {
		*names = append(*names, name)
	}
	if levels > 0 {
		collect(names, labels, levels-1)
	}
}

// Number of the names of all levels.
func Number(labels map[string]string) int {
	var names []string
	collect(&names, labels, 3)
	return len(names)
}
