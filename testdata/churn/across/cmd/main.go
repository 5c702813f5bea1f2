// Command cmd writes what package build has made.
package main

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/churn/across/build"
	"example.com/operators/churn/across/store"
)

type maker interface{ Pod() *corev1.Pod }

func main() { _ = run(context.Background(), nil, &build.Maker{}) }

func run(ctx context.Context, c client.Client, m maker) error {
	if err := store.Save(ctx, c, m.Pod()); err != nil {
		return err
	}
	if err := store.Make(ctx, c, build.Created(nil)); err != nil {
		return err
	}
	pod := &corev1.Pod{}
	pod.Spec.Containers[0].Args = build.Names(nil)
	sorted := build.Sorted(nil)
	slices.Sort(sorted)
	pod.Spec.Containers[0].Command = sorted
	return store.Save(ctx, c, pod)
}
