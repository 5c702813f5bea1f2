package watch

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// Part is of a kind whose lists are called otherwise.
type Part struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int `json:"size,omitempty"`
}

// Stock is a list of parts.
type Stock struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []*Part `json:"items"`
}

// DeepCopyObject makes Stock an object.
func (s *Stock) DeepCopyObject() runtime.Object {
	out := &Stock{TypeMeta: s.TypeMeta, ListMeta: s.ListMeta}
	for _, p := range s.Items {
		out.Items = append(out.Items, &Part{TypeMeta: p.TypeMeta, ObjectMeta: *p.ObjectMeta.DeepCopy(), Size: p.Size})
	}
	return out
}

type partClient interface {
	Update(ctx context.Context, part *Part, opts metav1.UpdateOptions) (*Part, error)
}

// parts are listed by another package.
func parts(informer cache.SharedIndexInformer, client partClient) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			part := obj.(*Part)
			part.Size = 1 // want param "this writes Size of the Part that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 44 fails; change a DeepCopy"
			_, _ = client.Update(context.TODO(), part, metav1.UpdateOptions{})
		},
	})
}
