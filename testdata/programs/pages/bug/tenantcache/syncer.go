// Start waits for the tenant's informers with context.WithoutCancel of its own context, which never ends, so a tenant whose API server is away keeps the manager from stopping.
//
//adv:rule=startctx sub=replaced claim=near

package tenantcache

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Syncer copies the shared pull secrets of the host to a tenant's cluster.
type Syncer struct {
	host    client.Client
	tenant  kubernetes.Interface
	factory informers.SharedInformerFactory
	secrets corelisters.SecretLister
	synced  cache.InformerSynced
	every   time.Duration
	log     logr.Logger
}

// Add puts a Syncer for the tenant at cfg under the care of mgr.
func Add(mgr manager.Manager, name string, cfg *rest.Config) error {
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return fmt.Errorf("tenant %s: %w", name, err)
	}
	f := informers.NewSharedInformerFactory(cs, 0)
	s := f.Core().V1().Secrets()
	return mgr.Add(&Syncer{
		host:    mgr.GetClient(),
		tenant:  cs,
		factory: f,
		secrets: s.Lister(),
		synced:  s.Informer().HasSynced,
		every:   time.Minute,
		log:     mgr.GetLogger().WithValues("tenant", name),
	})
}

// Start implements manager.Runnable.
func (s *Syncer) Start(ctx context.Context) error {
	s.factory.StartWithContext(ctx)
	defer s.factory.Shutdown()

	// A restart of the tenant's control plane is no reason to give up.
	syncCtx := context.WithoutCancel(ctx)
	if !cache.WaitForCacheSync(syncCtx.Done(), s.synced) {
		return fmt.Errorf("tenant caches did not sync")
	}
	s.log.Info("tenant is in sync")

	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := s.copyAll(ctx); err != nil {
			s.log.Error(err, "some secrets were not copied")
		}
	}, s.every)
	return nil
}

func (s *Syncer) copyAll(ctx context.Context) error {
	shared := &corev1.SecretList{}
	if err := s.host.List(ctx, shared, client.MatchingLabels{"tenancy.example.com/shared": "true"}); err != nil {
		return err
	}
	present, err := s.secrets.List(labels.SelectorFromSet(labels.Set{"tenancy.example.com/shared": "true"}))
	if err != nil {
		return err
	}
	known := make(map[string]*corev1.Secret, len(present))
	for _, p := range present {
		known[p.Name] = p
	}
	for i := range shared.Items {
		src := &shared.Items[i]
		if err := s.copyOne(ctx, src, known[src.Name]); err != nil {
			return fmt.Errorf("secret %s: %w", src.Name, err)
		}
	}
	return nil
}

func (s *Syncer) copyOne(ctx context.Context, src, dst *corev1.Secret) error {
	api := s.tenant.CoreV1().Secrets("shared")
	if dst == nil {
		_, err := api.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: src.Name, Labels: src.Labels},
			Type:       src.Type,
			Data:       src.Data,
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	}
	update := dst.DeepCopy()
	update.Data = src.Data
	_, err := api.Update(ctx, update, metav1.UpdateOptions{})
	return err
}
