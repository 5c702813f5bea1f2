// watchSecondary guards the Secrets and ConfigMaps with a predicate that waits for a new generation, which neither kind ever gets, so changed credentials are never taken over.
//
//adv:rule=eventfilter sub=nogeneration claim=yes
package operatorconfig

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/bug/operatorconfig/predicates"
)

const (
	credentialsName = "mailer-credentials"
	settingsName    = "mailer-settings"
)

var log = logf.Log.WithName("controller_operatorconfig")

// Mailer sends the mails of the operator.
type Mailer struct {
	mu       sync.RWMutex
	host     string
	user     string
	password []byte
}

// Configure replaces what the mailer uses.
func (m *Mailer) Configure(host, user string, password []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.host, m.user, m.password = host, user, password
}

// Add creates the config controller and adds it to the Manager.
func Add(mgr manager.Manager, namespace string, mailer *Mailer) error {
	return add(mgr, &ReconcileConfig{client: mgr.GetClient(), namespace: namespace, mailer: mailer})
}

func add(mgr manager.Manager, r reconcile.Reconciler) error {
	c, err := controller.New("operatorconfig-controller", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	return watchSecondary(mgr, c, &corev1.Secret{}, &corev1.ConfigMap{})
}

func watchSecondary(mgr manager.Manager, c controller.Controller, objects ...client.Object) error {
	for _, o := range objects {
		src := source.Kind(mgr.GetCache(), o, handler.EnqueueRequestsFromMapFunc(toConfig), predicates.SkipStatusUpdates{})
		if err := c.Watch(src); err != nil {
			return fmt.Errorf("watch %T: %w", o, err)
		}
	}
	return nil
}

// toConfig has one request for all, as there is one configuration.
func toConfig(_ context.Context, o client.Object) []reconcile.Request {
	switch o.GetName() {
	case credentialsName, settingsName:
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: "operator"}}}
	}
	return nil
}

var _ reconcile.Reconciler = &ReconcileConfig{}

// ReconcileConfig loads the configuration of the operator.
type ReconcileConfig struct {
	client    client.Client
	namespace string
	mailer    *Mailer
}

// Reconcile loads the configuration.
func (r *ReconcileConfig) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	reqLogger := log.WithValues("Request.Namespace", request.Namespace)
	if request.Namespace != r.namespace {
		return reconcile.Result{}, nil
	}
	settings := &corev1.ConfigMap{}
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.namespace, Name: settingsName}, settings)
	if apierrors.IsNotFound(err) {
		reqLogger.Info("no settings, mails are off")
		r.mailer.Configure("", "", nil)
		return reconcile.Result{}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	host := settings.Data["smtp.host"]
	if host == "" {
		return reconcile.Result{}, errors.New("smtp.host is empty")
	}

	secret := &corev1.Secret{}
	if err := r.client.Get(ctx, types.NamespacedName{Namespace: r.namespace, Name: credentialsName}, secret); err != nil {
		if !apierrors.IsNotFound(err) {
			return reconcile.Result{}, err
		}
		reqLogger.Info("no credentials, will send without")
	}
	r.mailer.Configure(host, string(secret.Data["username"]), secret.Data["password"])
	reqLogger.Info("configured mailer", "host", host)
	return reconcile.Result{}, nil
}
