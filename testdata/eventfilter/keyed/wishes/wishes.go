// Package wishes reads annotations.
package wishes

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Look is what is wished under one key.
func Look(annotations map[string]string) (string, bool) { // want Look:"reads key example.com/look of p0; looks only at p0[example.com/look]"
	value, ok := annotations["example.com/look"]
	return value, ok
}

// Also asks another function.
func Also(annotations map[string]string) bool { // want Also:"reads key example.com/also of p0, key example.com/look of p0; looks only at p0[example.com/also example.com/look]"
	_, ok := Look(annotations)
	return ok || annotations["example.com/also"] != ""
}

// Many is true where there are several.
func Many(annotations map[string]string) bool {
	return len(annotations) > 1 && annotations["example.com/look"] != ""
}

// Creator is who has made an object.
func Creator(o client.Object) string { return o.GetAnnotations()["example.com/creator"] }

// Of is what is wished of an object.
func Of(o metav1.Object) bool { return Also(o.GetAnnotations()) }

// Drop takes an annotation off.
func Drop(ctx context.Context, c client.Client, o client.Object) error {
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]*string{"example.com/stale": nil}}})
	if err != nil {
		return err
	}
	return c.Patch(ctx, o, client.RawPatch(types.MergePatchType, data))
}
