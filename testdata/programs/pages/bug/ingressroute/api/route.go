// Package api has the Route kind of the edge proxy.
package api

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const RouteFinalizer = "edge.parapet.io/route"

type RouteSpec struct {
	Hosts    []string `json:"hosts"`
	Upstream string   `json:"upstream"`
	Weight   int32    `json:"weight,omitempty"`
}

type RouteStatus struct {
	Accepted bool   `json:"accepted"`
	Message  string `json:"message,omitempty"`
}

type Route struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RouteSpec   `json:"spec"`
	Status            RouteStatus `json:"status,omitempty"`
}

// Validate says what is wrong with the spec.
func (r *Route) Validate() error {
	if len(r.Spec.Hosts) == 0 {
		return fmt.Errorf("spec.hosts: at least one host is required")
	}
	for _, h := range r.Spec.Hosts {
		if strings.ContainsAny(h, "/:") {
			return fmt.Errorf("spec.hosts: %q is no host name", h)
		}
	}
	if r.Spec.Weight < 0 || r.Spec.Weight > 100 {
		return fmt.Errorf("spec.weight: %d is not in 0..100", r.Spec.Weight)
	}
	return nil
}

func (r *Route) DeepCopyObject() runtime.Object {
	c := *r
	c.ObjectMeta = *r.ObjectMeta.DeepCopy()
	c.Spec.Hosts = append([]string(nil), r.Spec.Hosts...)
	return &c
}
