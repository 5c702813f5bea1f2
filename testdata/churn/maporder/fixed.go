package maporder

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Name is a key with an order.
type Name string

var table map[Name]string

// The key is not needed by the loop, but by its fix.
func (r *reconciler) values(ctx context.Context, pod *corev1.Pod) error {
	var args []string
	for _, v := range table { // with a comment
		// about the statement
		args = append(args, v) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @22 "it is stored in Container.Args here" @23 "the cluster gets it here"
	}
	pod.Spec.Containers[0].Args = args
	return r.Update(ctx, pod)
}

// Each of two loops has a fix of its own.
func (r *reconciler) twice(ctx context.Context, pod *corev1.Pod, groups map[string]map[int]string, name string) error {
	var args, command []string
	for name, group := range groups {
		args = append(args, name, group[0]) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @39 "it is stored in Container.Args here" @40 "the cluster gets it here"
	}
	for _, v := range groups[name] {
		command = append(command, v) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @39 "it is stored in Container.Command here" @40 "the cluster gets it here"
	}
	group := groups[name]
	for i := range group {
		command = append(command, group[i]) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @39 "it is stored in Container.Command here" @40 "the cluster gets it here"
	}
	pod.Spec.Containers[0].Args, pod.Spec.Containers[0].Command = args, command
	return r.Update(ctx, pod)
}

// No fix: what its code needs has another meaning here.
func (r *reconciler) hidden(ctx context.Context, pod *corev1.Pod, maps map[string]string) error {
	var args []string
	for k := range maps {
		args = append(args, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @49 "it is stored in Container.Args here" @50 "the cluster gets it here"
	}
	pod.Spec.Containers[0].Args = args
	return r.Update(ctx, pod)
}

// No fix: the map is the result of a call, a name is taken, the loop changes the map, the keys have no order.
func (r *reconciler) left(ctx context.Context, pod *corev1.Pod, app *App, points map[[2]int]string, weights map[float64]string) error {
	var called, taken, again, shadowed, changed, passed, unordered, unsure []string
	for k := range pod.GetLabels() {
		called = append(called, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Args here" @85 "the cluster gets it here"
	}
	key := pod.Name
	for _, v := range app.Spec.Options {
		taken = append(taken, key+v) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Command here" @85 "the cluster gets it here"
	}
	for k, v := range app.Spec.Options {
		v := strings.ToLower(v)
		again = append(again, k+v) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Args here" @85 "the cluster gets it here"
	}
	for app, v := range app.Spec.Options {
		shadowed = append(shadowed, app+v) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Command here" @85 "the cluster gets it here"
	}
	for k, v := range app.Spec.Options {
		changed = append(changed, v) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Args here" @85 "the cluster gets it here"
		app.Spec.Options[k+v] = ""
	}
	for k := range app.Spec.Options {
		drop(app)
		passed = append(passed, k) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Command here" @85 "the cluster gets it here"
	}
	for _, v := range points {
		unordered = append(unordered, v) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Args here" @85 "the cluster gets it here"
	}
	for _, v := range weights {
		unsure = append(unsure, v) // want maporder "Container.Command is in map order, which differs on each reconcile: the object is updated again and again; sort it" @84 "it is stored in Container.Command here" @85 "the cluster gets it here"
	}
	pod.Spec.Containers = []corev1.Container{{Args: called, Command: taken}, {Args: again, Command: shadowed}, {Args: changed, Command: passed}, {Args: unordered, Command: unsure}}
	return r.Update(ctx, pod)
}

func drop(app *App) { clear(app.Spec.Options) }
