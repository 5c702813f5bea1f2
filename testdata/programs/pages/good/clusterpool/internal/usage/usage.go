// Package usage has the kinds of the pool operator and says what uses what.
package usage

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type CloudAccount struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct{ Endpoint string }
}

func (a *CloudAccount) DeepCopyObject() runtime.Object {
	out := *a
	out.ObjectMeta = *a.ObjectMeta.DeepCopy()
	return &out
}

type Cluster struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a cluster stays in its account"
	Spec struct{ AccountName string }
}

func (c *Cluster) DeepCopy() *Cluster {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	return &out
}

func (c *Cluster) DeepCopyObject() runtime.Object { return c.DeepCopy() }

type ClusterList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Cluster
}

func (l *ClusterList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return &out
}

// ClustersOf gives the names of all clusters that need the account, also of
// those that are being deleted: they need it most.
func ClustersOf(ctx context.Context, c client.Reader, account *CloudAccount) ([]string, error) {
	var clusters ClusterList
	if err := c.List(ctx, &clusters, client.InNamespace(account.Namespace)); err != nil {
		return nil, err
	}
	var names []string
	for i := range clusters.Items {
		if clusters.Items[i].Spec.AccountName == account.Name {
			names = append(names, clusters.Items[i].Name)
		}
	}
	return names, nil
}
