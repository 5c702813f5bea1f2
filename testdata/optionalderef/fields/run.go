package fields

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconcile is called by the library.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	gateway := &Gateway{}
	if err := r.Get(ctx, req.NamespacedName, gateway); err != nil {
		return reconcile.Result{}, err
	}
	_ = unguarded(gateway)
	return reconcile.Result{}, nil
}

// Run runs all functions.
func Run(ctx context.Context, c client.Client, key client.ObjectKey, gateway *Gateway) {
	r := &reconciler{c}
	_, _ = reconcile.Reconciler(r).Reconcile(ctx, reconcile.Request{NamespacedName: key})
	_, _ = r.reconcile(ctx, key)
	_ = r.second(gateway)
	_ = r.scale(gateway)
	r.wait(gateway)
	_ = weights(gateway)
	_, _ = limit(&gateway.Spec.Rules[0])
	_ = port(gateway)
	convert(&Old{}, &gateway.Spec.Built)
	_ = copied(gateway)
	_ = guarded(gateway)
	_ = guardedList(gateway)

	_ = compared(gateway)
	_ = followsCompared(gateway)
	_ = followsAsked(gateway)
	_ = followsPassed(gateway)
	_ = followsReflected(gateway)
	_ = followsGot(gateway)
	_ = followsSize(gateway)
	_, _ = followsValid(gateway)
	_ = followsKept(&kept{}, gateway)
	_ = followsMerged(gateway, nil, true)
	_ = followsCaptured(gateway)
	setsStored(gateway)
	setsLiteral(gateway)
	setsAddressed(gateway)
	_ = followsBuilt(gateway)
	_ = followsMarkers(gateway)
	_ = followsUnions(gateway)
	_ = followsStore(&gateway.Spec.Store)
	_ = followsStatus(gateway)
	_ = followsOptions(&Options{})
	_ = callsCalled(gateway)
	_ = followsTold(gateway)
}
