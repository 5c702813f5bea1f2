// All sources of a bundle are watched with the generation predicate, and ConfigMaps and Secrets have no generation that moves: a rotated CA never gets into the bundle.
//
//adv:rule=eventfilter sub=nogeneration claim=yes
package trustbundle

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const (
	bundleLabel = "trust.pki.internal/bundle"
	caKey       = "ca.crt"
	outputName  = "trust-bundle"
)

// Bundler puts all CAs that have the label into one ConfigMap per bundle.
type Bundler struct {
	client    client.Client
	namespace string
}

// Register makes the controller of the bundles.
func Register(mgr manager.Manager, namespace string) error {
	b := &Bundler{client: mgr.GetClient(), namespace: namespace}
	c, err := controller.New("trust-bundles", mgr, controller.Options{Reconciler: b})
	if err != nil {
		return fmt.Errorf("making controller: %w", err)
	}

	sources := []client.Object{
		&corev1.ConfigMap{},
		&corev1.Secret{},
		&admissionv1.ValidatingWebhookConfiguration{},
	}
	for _, kind := range sources {
		if err := c.Watch(source.Kind(mgr.GetCache(), kind,
			handler.EnqueueRequestsFromMapFunc(b.bundleOf),
			predicate.GenerationChangedPredicate{},
		)); err != nil {
			return fmt.Errorf("watching %T: %w", kind, err)
		}
	}
	return nil
}

func (b *Bundler) bundleOf(_ context.Context, obj client.Object) []reconcile.Request {
	bundle := obj.GetLabels()[bundleLabel]
	if bundle == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: b.namespace, Name: bundle}}}
}

// Reconcile writes the bundle of a name.
func (b *Bundler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	logger := log.FromContext(ctx)
	selector := client.MatchingLabels{bundleLabel: req.Name}

	var certificates [][]byte
	secrets := &corev1.SecretList{}
	if err := b.client.List(ctx, secrets, client.InNamespace(b.namespace), selector); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing secrets: %w", err)
	}
	for i := range secrets.Items {
		if pem := secrets.Items[i].Data[caKey]; len(pem) > 0 {
			certificates = append(certificates, bytes.TrimSpace(pem))
		}
	}
	maps := &corev1.ConfigMapList{}
	if err := b.client.List(ctx, maps, client.InNamespace(b.namespace), selector); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing config maps: %w", err)
	}
	for i := range maps.Items {
		if pem := maps.Items[i].Data[caKey]; pem != "" {
			certificates = append(certificates, bytes.TrimSpace([]byte(pem)))
		}
	}
	slices.SortFunc(certificates, bytes.Compare)
	bundle := bytes.Join(slices.CompactFunc(certificates, bytes.Equal), []byte("\n"))
	if err := b.inject(ctx, req.Name, bundle); err != nil {
		return reconcile.Result{}, err
	}

	output := &corev1.ConfigMap{}
	key := types.NamespacedName{Namespace: b.namespace, Name: outputName + "-" + req.Name}
	err := b.client.Get(ctx, key, output)
	if apierrors.IsNotFound(err) {
		output.ObjectMeta = metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}
		output.BinaryData = map[string][]byte{"bundle.pem": bundle}
		return reconcile.Result{}, b.client.Create(ctx, output)
	}
	if err != nil || bytes.Equal(output.BinaryData["bundle.pem"], bundle) {
		return reconcile.Result{}, err
	}
	logger.Info("Bundle has changed", "certificates", len(certificates))
	output.BinaryData = map[string][]byte{"bundle.pem": bundle}
	return reconcile.Result{}, b.client.Update(ctx, output)
}

func (b *Bundler) inject(ctx context.Context, name string, bundle []byte) error {
	hooks := &admissionv1.ValidatingWebhookConfigurationList{}
	if err := b.client.List(ctx, hooks, client.MatchingLabels{bundleLabel: name}); err != nil {
		return fmt.Errorf("listing webhooks: %w", err)
	}
	for i := range hooks.Items {
		config := hooks.Items[i].DeepCopy()
		for j := range config.Webhooks {
			config.Webhooks[j].ClientConfig.CABundle = bundle
		}
		if err := b.client.Patch(ctx, config, client.MergeFrom(&hooks.Items[i])); err != nil {
			return fmt.Errorf("injecting into %s: %w", config.Name, err)
		}
	}
	return nil
}
