package example

// A Reconciler is what the controller runs.
type Reconciler struct{ client.Client }

// Reconcile opens a garden when what belongs to it is ready.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &v1.Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ready(deployment) {
		return ctrl.Result{}, r.Create(ctx, &corev1.Pod{})
	}
	return ctrl.Result{}, nil
}

func ready(deployment *appsv1.Deployment) bool { return deployment.Status.ReadyReplicas > 0 }
