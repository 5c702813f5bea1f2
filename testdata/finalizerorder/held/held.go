// Package held hands on what it works on in structs that are made for that.
package held

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/finalizerorder/held/api"
	"example.com/operators/finalizerorder/held/scopes"
	"example.com/operators/finalizerorder/lost/refs"
)

const guard = "example.com/data"

var dropped int

type diskReconciler struct{ client.Client }

type scope struct {
	client.Client
	disk *api.Disk
	zone *api.Zone
}

type nodeScope struct {
	client.Client
	node *corev1.Node
	zone *api.Zone
}

func newScope(c client.Client, node *corev1.Node, zone *api.Zone) (*nodeScope, error) {
	if zone.Name == "" {
		return nil, errors.New("no zone")
	}
	return &nodeScope{Client: c, node: node, zone: zone}, nil
}

func (s *nodeScope) release(ctx context.Context) error {
	controllerutil.RemoveFinalizer(s.node, guard)
	return s.Update(ctx, s.node)
}

type podScope struct {
	client.Client
	pod *corev1.Pod
}

func (s *podScope) release(ctx context.Context) error {
	controllerutil.RemoveFinalizer(s.pod, guard)
	return s.Update(ctx, s.pod)
}

func (s *scope) release(ctx context.Context) error {
	controllerutil.RemoveFinalizer(s.disk, guard)
	return s.Update(ctx, s.disk)
}

// SetupWithManager has disks come again when their zone changes.
func (r *diskReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.Disk{}).
		Watches(&api.Zone{}, handler.EnqueueRequestsFromMapFunc(r.disks)).
		Complete(r)
}

// disks lists disks, and keeps no zone by that.
func (r *diskReconciler) disks(ctx context.Context, zone client.Object) (requests []reconcile.Request) {
	var list api.DiskList
	if r.List(ctx, &list) != nil {
		return nil
	}
	for i := range list.Items {
		if list.Items[i].Zone == zone.GetName() {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// Reconcile makes the struct where the object is looked at.
func (r *diskReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	disk := &api.Disk{}
	if err := r.Get(ctx, req.NamespacedName, disk); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	zone := &api.Zone{}
	if err := r.Get(ctx, client.ObjectKey{Name: disk.Zone}, zone); err != nil { // want unreachable "disk keeps its finalizer if its Zone is gone: this lookup fails before line 99 removes it; handle deletion first or ignore NotFound" @99 "the finalizer is removed here"
		return ctrl.Result{}, err
	}
	s := &scope{Client: r.Client, disk: disk, zone: zone}
	if !disk.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, s.release(ctx)
	}
	return ctrl.Result{}, nil
}

// constructed has a constructor make it.
func (r *diskReconciler) constructed(ctx context.Context, node *corev1.Node) error {
	zone := &api.Zone{}
	if err := r.Get(ctx, client.ObjectKey{Name: node.Labels["zone"]}, zone); err != nil { // want unreachable "node keeps its finalizer if its Zone is gone: this lookup fails before line 115 removes it; handle deletion first or ignore NotFound" @115 "the finalizer is removed here"
		return err
	}
	s, err := newScope(r.Client, node, zone)
	if err != nil {
		return err
	}
	if s.node.DeletionTimestamp != nil {
		return s.release(ctx)
	}
	return nil
}

// exchanged gives the struct another object later, so that it is not said which of the two is released.
func (r *diskReconciler) exchanged(ctx context.Context, pod, other *corev1.Pod) error {
	zone := &api.Zone{}
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Labels["zone"]}, zone); err != nil {
		return err // ok: it is not said whose finalizer goes
	}
	s := &podScope{Client: r.Client, pod: other}
	if zone.Name == "spare" {
		s.pod = pod
	}
	if pod.DeletionTimestamp != nil {
		return s.release(ctx)
	}
	return nil
}

// zoneReconciler takes no finalizer off a zone.
type zoneReconciler struct{ client.Client }

func (r *zoneReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.Zone{}).Complete(r)
}

func (r *zoneReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &api.Zone{}))
}

// poolReconciler keeps a pool as long as something is in it.
type poolReconciler struct{ client.Client }

func (r *poolReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pool := &api.Pool{}
	if err := r.Get(ctx, req.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pool.DeletionTimestamp.IsZero() {
		controllerutil.AddFinalizer(pool, guard)
		return ctrl.Result{}, r.Update(ctx, pool)
	}
	return ctrl.Result{}, r.finish(ctx, pool)
}

func (r *poolReconciler) finish(ctx context.Context, pool *api.Pool) error {
	var list corev1.ReplicationControllerList
	if err := r.List(ctx, &list, client.MatchingFields{"pool": pool.Name}); err != nil {
		return err
	}
	if len(list.Items) > 0 {
		return errors.New("in use")
	}
	controllerutil.RemoveFinalizer(pool, guard)
	return r.Update(ctx, pool)
}

func (r *diskReconciler) pooled(ctx context.Context, rc *corev1.ReplicationController) error {
	if err := r.Get(ctx, client.ObjectKey{Name: rc.Labels["pool"]}, &api.Pool{}); err != nil {
		return err // ok: it stays until the rc has gone
	}
	if rc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(rc, guard)
		return r.Update(ctx, rc)
	}
	return nil
}

func (r *diskReconciler) regional(ctx context.Context, limits *corev1.LimitRange) error {
	if err := r.Get(ctx, client.ObjectKey{Name: limits.Labels["region"]}, &api.Region{}); err != nil {
		return err // ok: who looks after regions may keep them
	}
	if limits.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(limits, guard)
		return r.Update(ctx, limits)
	}
	return nil
}

// address needs a region, which may be kept, and a service, which nobody keeps.
func (r *diskReconciler) address(ctx context.Context, name string) (string, error) {
	region := &api.Region{}
	if err := r.Get(ctx, client.ObjectKey{Name: name}, region); err != nil {
		return "", err
	}
	svc := &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKey{Name: name + "-lb"}, svc); err != nil {
		return "", err
	}
	return svc.Spec.ClusterIP, nil
}

func (r *diskReconciler) reached(ctx context.Context, secret *corev1.Secret) error {
	if _, err := r.address(ctx, secret.Labels["region"]); err != nil { // want unreachable "secret keeps its finalizer if its Service is gone: this lookup fails before line 214 removes it; handle deletion first or ignore NotFound" @214 "the finalizer is removed here" @203 "looked up here"
		return err
	}
	if secret.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(secret, guard)
		return r.Update(ctx, secret)
	}
	return nil
}

// abroad has another package look up what nobody keeps, and gets no object.
func (r *diskReconciler) abroad(ctx context.Context, account *corev1.ServiceAccount) error {
	if _, err := refs.Address(ctx, r.Client, account.Labels["node"]); err != nil { // want unreachable "account keeps its finalizer if its Node is gone: this lookup fails before line 226 removes it; handle deletion first or ignore NotFound" @226 "the finalizer is removed here"
		return err
	}
	if account.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(account, guard)
		return r.Update(ctx, account)
	}
	return nil
}

// ownerZone is the zone that a reference of the quota names.
func (r *diskReconciler) ownerZone(ctx context.Context, quota *corev1.ResourceQuota) (*api.Zone, error) {
	for _, ref := range quota.OwnerReferences {
		if ref.Kind == "Zone" {
			zone := &api.Zone{}
			if err := r.Get(ctx, client.ObjectKey{Name: ref.Name}, zone); err != nil {
				return nil, err
			}
			return zone, nil
		}
	}
	return nil, nil
}

func (r *diskReconciler) owned(ctx context.Context, quota *corev1.ResourceQuota) error {
	if _, err := r.ownerZone(ctx, quota); err != nil { // want unreachable "quota keeps its finalizer if its Zone is gone: this lookup fails before line 251 removes it; handle deletion first or ignore NotFound" @251 "the finalizer is removed here" @237 "looked up here"
		return err
	}
	if quota.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(quota, guard)
		return r.Update(ctx, quota)
	}
	return nil
}

// deferred writes the object at the end, and keeps what that gives in the variable that all calls use.
func (r *diskReconciler) deferred(ctx context.Context, volume *corev1.PersistentVolume) error {
	zone := &api.Zone{}
	err := r.Get(ctx, client.ObjectKey{Name: volume.Labels["zone"]}, zone) // want unreachable "volume keeps its finalizer if its Zone is gone: this lookup fails before line 270 removes it; handle deletion first or ignore NotFound" @270 "the finalizer is removed here"
	if err != nil {
		return err
	}
	defer func() {
		if err = r.Update(ctx, volume); err != nil {
			panic(err)
		}
	}()
	if volume.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(volume, guard)
	}
	return nil
}

// scoped has another package make the struct, and take the finalizer off.
func (r *diskReconciler) scoped(ctx context.Context, event *corev1.Event) error {
	s, err := scopes.New(scopes.Params{Client: r.Client, Event: event})
	if err != nil {
		return err
	}
	if event.DeletionTimestamp == nil {
		return nil
	}
	if err := r.drop(ctx, event); err != nil {
		dropped++
	}
	return s.Release(ctx) // want removedonerror "event loses its finalizer even if drop (line 284) fails: the cleanup is never retried; return the error first" @284 "the error of this cleanup is ignored"
}

func (r *diskReconciler) drop(ctx context.Context, event *corev1.Event) error {
	return r.Delete(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: event.Labels["service"]}})
}

// claimed has it make the struct only.
func (r *diskReconciler) claimed(ctx context.Context, event *corev1.Event, claim *corev1.PersistentVolumeClaim) error {
	zone := &api.Zone{}
	if err := r.Get(ctx, client.ObjectKey{Name: claim.Labels["zone"]}, zone); err != nil { // want unreachable "claim keeps its finalizer if its Zone is gone: this lookup fails before line 305 removes it; handle deletion first or ignore NotFound" @305 "the finalizer is removed here"
		return err
	}
	s, err := scopes.New(scopes.Params{Client: r.Client, Event: event, Claim: claim})
	if err != nil {
		return err
	}
	if claim.DeletionTimestamp != nil {
		return r.unclaim(ctx, s)
	}
	return nil
}

func (r *diskReconciler) unclaim(ctx context.Context, s *scopes.Scope) error {
	controllerutil.RemoveFinalizer(s.Claim, guard)
	return r.Update(ctx, s.Claim)
}

// circles makes structs of each other, and of themselves, which say nothing of where an object is from.
func (r *diskReconciler) circles(ctx context.Context, turns int) error {
	one, other, alone := &podScope{}, &podScope{}, &podScope{}
	for range turns {
		one.pod = other.pod
		other.pod = one.pod.DeepCopy()
	}
	alone.pod = alone.pod.DeepCopy()
	if one.pod.DeletionTimestamp != nil {
		return one.release(ctx)
	}
	if alone.pod.DeletionTimestamp != nil {
		return alone.release(ctx)
	}
	return nil
}

var _ = []any{
	(*diskReconciler).circles, (*diskReconciler).scoped, (*diskReconciler).claimed, scopes.Either, (*diskReconciler).deferred,
	(*diskReconciler).constructed, (*diskReconciler).exchanged, (*diskReconciler).pooled, (*diskReconciler).regional, (*diskReconciler).reached,
	(*diskReconciler).abroad, (*diskReconciler).owned,
}
