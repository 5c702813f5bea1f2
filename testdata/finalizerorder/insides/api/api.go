// Package api has functions that ask an object alone, and others.
package api

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
)

var defaultWeight int32 = 1

// Idle asks the spec of the claim alone.
func Idle(pvc *corev1.PersistentVolumeClaim) bool {
	return pvc.Spec.VolumeName == "" && bare(pvc)
}

func bare(pvc *corev1.PersistentVolumeClaim) bool { return len(pvc.Spec.AccessModes) == 0 }

// Broken finds mistakes in a spec.
func Broken(spec corev1.ServiceSpec) error {
	if len(spec.Ports) == 0 {
		return errors.New("no port")
	}
	return nil
}

// Light asks the package, too.
func Light(pvc *corev1.PersistentVolumeClaim) bool {
	return pvc.Spec.VolumeName == "" && defaultWeight == 1
}

// Late asks the clock, too.
func Late(rq *corev1.ResourceQuota) bool {
	return len(rq.Spec.Scopes) == 0 && time.Now().Hour() > 12
}

// Marked asks what others write on the claim.
func Marked(pvc *corev1.PersistentVolumeClaim) bool {
	return pvc.Spec.VolumeName == "" && pvc.Annotations["mark"] != ""
}
