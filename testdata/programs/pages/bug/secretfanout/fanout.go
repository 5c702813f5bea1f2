// The members of the errgroup send a warning for each cluster that refuses, on a channel with room for one, which is only read after Wait: two refusals and the reconciler hangs for good.
//
//adv:rule=unboundedsync sub=neverstops claim=yes

package secretfanout

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	replicateLabel    = "replicator.acme.io/to"
	warningAnnotation = "replicator.acme.io/warnings"
)

// Member is a cluster that secrets are copied to.
type Member struct {
	Name   string
	Client client.Client
}

// Replicator copies labelled objects of one kind to member clusters.
type Replicator[T client.Object] struct {
	Hub     client.Client
	Members []Member

	empty func() T
	carry func(from, to T)
}

// Secrets makes a replicator of secrets.
func Secrets(hub client.Client, members ...Member) *Replicator[*corev1.Secret] {
	return &Replicator[*corev1.Secret]{
		Hub: hub, Members: members,
		empty: func() *corev1.Secret { return &corev1.Secret{} },
		carry: func(from, to *corev1.Secret) { to.Type, to.Data = from.Type, maps.Clone(from.Data) },
	}
}

// ConfigMaps makes a replicator of config maps.
func ConfigMaps(hub client.Client, members ...Member) *Replicator[*corev1.ConfigMap] {
	return &Replicator[*corev1.ConfigMap]{
		Hub: hub, Members: members,
		empty: func() *corev1.ConfigMap { return &corev1.ConfigMap{} },
		carry: func(from, to *corev1.ConfigMap) { to.Data = maps.Clone(from.Data) },
	}
}

func (r *Replicator[T]) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	obj := r.empty()
	if err := r.Hub.Get(ctx, req.NamespacedName, obj); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, ok := obj.GetLabels()[replicateLabel]; !ok {
		return ctrl.Result{}, nil
	}
	warnings, err := r.fanOut(ctx, obj)
	if err != nil {
		return ctrl.Result{}, err
	}
	if len(warnings) == 0 {
		return ctrl.Result{}, nil
	}
	base := obj.DeepCopyObject().(client.Object)
	annotations := maps.Clone(obj.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[warningAnnotation] = strings.Join(warnings, "; ")
	obj.SetAnnotations(annotations)
	return ctrl.Result{}, r.Hub.Patch(ctx, obj, client.MergeFrom(base))
}

func (r *Replicator[T]) fanOut(ctx context.Context, obj T) ([]string, error) {
	refused := make(chan string, 1)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for _, m := range r.Members {
		g.Go(func() error {
			err := r.push(gctx, m.Client, obj)
			if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
				// the member does not want it: no reason to try again
				refused <- fmt.Sprintf("%s: %v", m.Name, err)
				return nil
			}
			if err != nil {
				return fmt.Errorf("member %s: %w", m.Name, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	close(refused)

	var out []string
	for w := range refused {
		out = append(out, w)
	}
	log.FromContext(ctx).V(1).Info("replicated", "members", len(r.Members), "refused", len(out))
	return out, nil
}

func (r *Replicator[T]) push(ctx context.Context, c client.Client, from T) error {
	to := r.empty()
	to.SetNamespace(from.GetNamespace())
	to.SetName(from.GetName())
	_, err := ctrl.CreateOrUpdate(ctx, c, to, func() error {
		r.carry(from, to)
		return nil
	})
	return err
}

// SetupWithManager registers the replicator.
func (r *Replicator[T]) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(r.empty()).Complete(r)
}
