// Package v1 holds the kinds of the database operator.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// PostgresServer is a server that somebody else runs.
type PostgresServer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PostgresServerSpec `json:"spec"`
}

type PostgresServerSpec struct {
	Host    string `json:"host"`
	Port    int32  `json:"port,omitempty"`
	SSLMode string `json:"sslMode,omitempty"`
}

func (s *PostgresServer) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// SchemaGrant gives a role privileges on a schema.
type SchemaGrant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SchemaGrantSpec   `json:"spec"`
	Status SchemaGrantStatus `json:"status,omitempty"`
}

type SchemaGrantSpec struct {
	ServerRef  string   `json:"serverRef"`
	Schema     string   `json:"schema"`
	Role       string   `json:"role"`
	Privileges []string `json:"privileges"`
}

type SchemaGrantStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

func (g *SchemaGrant) DeepCopy() *SchemaGrant {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Privileges = append([]string(nil), g.Spec.Privileges...)
	out.Status.Conditions = nil
	for i := range g.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *g.Status.Conditions[i].DeepCopy())
	}
	return &out
}

func (g *SchemaGrant) DeepCopyObject() runtime.Object { return g.DeepCopy() }
