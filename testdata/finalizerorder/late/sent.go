package late

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"example.com/operators/finalizerorder/late/cloud"
)

// sent makes an object for another cluster, of which the service writes all.
func sent(ctx context.Context, svc *cloud.Service, name string) error {
	var cm corev1.ConfigMap
	cm.SetName(name)
	cm.SetFinalizers([]string{guard}) // ok: it goes with the rest
	text, err := json.Marshal(cm)
	if err != nil {
		return err
	}
	return svc.CreateMachine(ctx, string(text))
}
