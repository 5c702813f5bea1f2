// Package clusters keeps the inventories of the clusters whose volumes are backed up.
package clusters

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ctrllint/ctrllint/demo/inventory"
)

// Registry opens the inventory of a cluster when it is first asked for, with the kubeconfig in a secret of that name.
type Registry struct {
	ctx       context.Context // of the process
	secrets   client.Reader
	namespace string

	mu   sync.Mutex
	open map[string]*cluster
}

type cluster struct {
	*inventory.Inventory
	version string // of the secret
	stop    context.CancelFunc
}

// NewRegistry reads secrets of the namespace. All clusters are watched until ctx ends.
func NewRegistry(ctx context.Context, secrets client.Reader, namespace string) *Registry {
	return &Registry{ctx: ctx, secrets: secrets, namespace: namespace, open: make(map[string]*cluster)}
}

// Inventory is that of the cluster with this name. It is opened anew when the kubeconfig has changed.
func (r *Registry) Inventory(ctx context.Context, name string) (*inventory.Inventory, error) {
	var secret corev1.Secret
	if err := r.secrets.Get(ctx, client.ObjectKey{Namespace: r.namespace, Name: name}, &secret); err != nil {
		return nil, err
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.open[name]; ok {
		if c.version == secret.ResourceVersion {
			return c.Inventory, nil
		}
		r.Forget(name)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data["kubeconfig"])
	if err != nil {
		return nil, err
	}
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(r.ctx)
	inv, err := inventory.Open(watching, clientset)
	if err != nil {
		stop()
		return nil, err
	}
	r.open[name] = &cluster{Inventory: inv, version: secret.ResourceVersion, stop: stop}
	return inv, nil
}

// Forget stops watching a cluster.
func (r *Registry) Forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.open[name]; ok {
		c.stop()
		delete(r.open, name)
	}
}
