// Package lists makes answers of what listers have. What is in their caches is for those to say who have set them up.
package lists

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
)

func pods(lister listers.PodLister) ([]*metav1.PartialObjectMetadata, error) {
	pods, err := lister.List(labels.Everything())
	var out []*metav1.PartialObjectMetadata
	for _, pod := range pods {
		out = append(out, partial(pod)) // ok: their pods have no annotations
	}
	return out, err
}

func partial(pod *corev1.Pod) *metav1.PartialObjectMetadata {
	out := &metav1.PartialObjectMetadata{TypeMeta: pod.TypeMeta, ObjectMeta: pod.ObjectMeta}
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b"
	return out
}

func labelled(lister listers.PodLister, name string) (*corev1.Pod, error) {
	pod, err := lister.Pods("a").Get(name)
	if err != nil {
		return nil, err
	}
	out := *pod
	if out.Labels == nil {
		out.Labels = map[string]string{}
	}
	out.Labels["a"] = "b" // want shallow "this writes an entry of Labels of the Pod that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @30 "it comes from the cache here, and is not copied"
	return &out, nil
}

// The map that is made is put into the pod of the cache, where the next one finds it.
func inPlace(lister listers.PodLister, name string) error {
	pod, err := lister.Pods("a").Get(name)
	if err != nil {
		return err
	}
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations["a"] = "b" // want write "this writes an entry of Annotations of the Pod that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @44 "it comes from the cache here, and is not copied"
	return nil
}

func nodes(lister listers.NodeLister, name string) (*corev1.Node, error) {
	node, err := lister.Get(name)
	if err != nil {
		return nil, err
	}
	out := *node
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b" // ok: their nodes have none
	return &out, nil
}

func services(lister listers.ServiceLister, name string) (*corev1.Service, error) {
	service, err := lister.Services("a").Get(name)
	if err != nil {
		return nil, err
	}
	out := *service
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b" // want shallow "this writes an entry of Annotations of the Service that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @69 "it comes from the cache here, and is not copied"
	return &out, nil
}

func endpoints(lister listers.EndpointsLister, name string) (*corev1.Endpoints, error) {
	e, err := lister.Endpoints("a").Get(name)
	if err != nil {
		return nil, err
	}
	out := *e
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b" // want shallow "this writes an entry of Annotations of the Endpoints that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @82 "it comes from the cache here, and is not copied"
	return &out, nil
}

func secrets(lister listers.SecretLister, name string) (*corev1.Secret, error) {
	secret, err := lister.Secrets("a").Get(name)
	if err != nil {
		return nil, err
	}
	out := *secret
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b" // want shallow "this writes an entry of Annotations of the Secret that lister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @95 "it comes from the cache here, and is not copied"
	return &out, nil
}

var _ = []any{pods, labelled, inPlace, nodes, services, endpoints, secrets}
