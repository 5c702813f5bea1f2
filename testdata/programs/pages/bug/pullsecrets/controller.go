// The function that swaps the credentials of a registry logs, still inside of Do, how many namespaces use it, and that count takes the lock of the same Guarded value again.
//
//adv:rule=lockheld sub=relock claim=near

// Package pullsecrets keeps image pull secrets in all namespaces that ask for them.
package pullsecrets

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/pullsecrets/syncx"
)

type registry struct {
	config  []byte
	rotated time.Time
	users   sets.Set[string]
}

// Keyring knows the registries.
type Keyring struct {
	state *syncx.Guarded[map[string]*registry]
}

// NewKeyring makes an empty one.
func NewKeyring() *Keyring {
	return &Keyring{state: syncx.NewGuarded(map[string]*registry{})}
}

// Users says how many namespaces use a registry.
func (k *Keyring) Users(name string) (n int) {
	k.state.View(func(all map[string]*registry) {
		if r := all[name]; r != nil {
			n = r.users.Len()
		}
	})
	return n
}

// Use notes that a namespace uses a registry, and gives its configuration.
func (k *Keyring) Use(name, namespace string) (config []byte, ok bool) {
	k.state.Do(func(all *map[string]*registry) {
		r := (*all)[name]
		if r == nil {
			return
		}
		r.users.Insert(namespace)
		config, ok = r.config, true
	})
	return config, ok
}

// Rotate replaces the configuration of a registry.
func (k *Keyring) Rotate(logger logr.Logger, name string, config []byte) (changed bool) {
	k.state.Do(func(all *map[string]*registry) {
		r, known := (*all)[name]
		if !known {
			(*all)[name] = &registry{config: config, rotated: time.Now(), users: sets.New[string]()}
			changed = true
			return
		}
		if bytes.Equal(r.config, config) {
			return
		}
		logger.Info("rotating credentials", "registry", name, "age", time.Since(r.rotated).String(), "namespaces", k.Users(name))
		r.config, r.rotated = bytes.Clone(config), time.Now()
		changed = true
	})
	return changed
}

// SourceReconciler reads the credentials.
type SourceReconciler struct {
	client.Client
	ring      *Keyring
	namespace string
}

// Reconcile implements reconcile.Reconciler.
func (r *SourceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if req.Namespace != r.namespace {
		return ctrl.Result{}, nil
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if secret.Type == corev1.SecretTypeDockerConfigJson {
		r.ring.Rotate(log.FromContext(ctx), secret.Name, secret.Data[corev1.DockerConfigJsonKey])
	}
	return ctrl.Result{}, nil
}

// NamespaceReconciler writes them.
type NamespaceReconciler struct {
	client.Client
	ring *Keyring
}

// Reconcile implements reconcile.Reconciler.
func (r *NamespaceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, ns); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	name := ns.Labels["pull.example.org/registry"]
	if name == "" || ns.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	config, ok := r.ring.Use(name, ns.Name)
	if !ok {
		return ctrl.Result{RequeueAfter: 15 * time.Second}, nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: "pull-" + name}, Type: corev1.SecretTypeDockerConfigJson}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{corev1.DockerConfigJsonKey: config}
		return nil
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("pull secret for %s: %w", ns.Name, err)
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, nil
}

// SetupWithManager registers both reconcilers.
func SetupWithManager(mgr ctrl.Manager, namespace string) error {
	ring := NewKeyring()
	if err := ctrl.NewControllerManagedBy(mgr).Named("pull-source").For(&corev1.Secret{}).
		Complete(&SourceReconciler{Client: mgr.GetClient(), ring: ring, namespace: namespace}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("pull-namespaces").For(&corev1.Namespace{}).
		Complete(&NamespaceReconciler{Client: mgr.GetClient(), ring: ring})
}
