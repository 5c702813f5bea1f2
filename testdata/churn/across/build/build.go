// Package build makes objects; others write them.
package build

import (
	corev1 "k8s.io/api/core/v1"
)

// Maker makes pods.
type Maker struct{ Options map[string]string }

// Pod is written by cmd.
func (m *Maker) Pod() *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Spec.Containers = []corev1.Container{{Args: m.args()}}
	return pod
}

func (m *Maker) args() (args []string) {
	for k := range m.Options {
		args = append(args, k) // want maporder "Container.Args is in map order, which differs on each reconcile: the object is updated again and again; sort it" @14 "it is stored in Container.Args here"
	}
	return args
}

// Created is only created.
func Created(options map[string]string) *corev1.Pod {
	pod := &corev1.Pod{}
	for k := range options {
		pod.Spec.ImagePullSecrets = append(pod.Spec.ImagePullSecrets, corev1.LocalObjectReference{Name: k})
	}
	return pod
}

// Names is put into an object by cmd.
func Names(options map[string]string) (names []string) {
	for k := range options {
		names = append(names, k) // want maporder "this list is in map order, which differs on each reconcile: the object is updated again and again; sort it"
	}
	return names
}

// Sorted is sorted by cmd.
func Sorted(options map[string]string) (names []string) {
	for k := range options {
		names = append(names, k)
	}
	return names
}
