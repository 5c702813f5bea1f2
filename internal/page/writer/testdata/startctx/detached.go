package example

type directory struct {
	client client.Client
	known  int
}

func (d *directory) refresh(ctx context.Context) {
	var pods corev1.PodList
	if err := d.client.List(ctx, &pods); err == nil {
		d.known = len(pods.Items)
	}
}
