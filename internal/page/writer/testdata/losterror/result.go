package example

type gardens struct{ client.Client }

// planted waits for the garden to be planted.
func (r *gardens) planted(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &v1.Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, err
	}
	if garden.Generation == 1 {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, nil
}
