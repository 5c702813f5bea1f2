package dynamic

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pointers to the structs of a list that was read without copying are to structs of its own, also where they went through a slice: what a
// client decodes into one of them fills that struct.
func (c *controller) pointers(ctx context.Context) error {
	all, err := c.pointersTo(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		d.Spec.Paused = true                            // ok: of the struct that is the list's
		d.Labels["seen"] = "yes"                        // want returned "mutates an entry of Labels of the Deployment returned by pointersTo(): all readers of the informer cache see the change, even if the request on line 20 fails, and concurrent access can crash; modify a DeepCopy" @13 "read from the cache here, without a copy" @29 "pointersTo() reads it from the cache here"
		if err := c.client.Update(ctx, d); err != nil { // ok: into that struct
			return err
		}
	}
	return nil
}

func (c *controller) pointersTo(ctx context.Context) ([]*appsv1.Deployment, error) {
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	var out []*appsv1.Deployment
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	return out, nil
}

func (c *controller) byName(ctx context.Context) error {
	all, err := c.pointersTo(ctx)
	if err != nil {
		return err
	}
	named, last := map[string]*appsv1.Deployment{}, (*appsv1.Deployment)(nil)
	for _, d := range all {
		named[d.Name] = d
		defer func() { d.Spec.Paused = false }() // ok
		last = d
	}
	if err := c.client.Update(ctx, named["a"]); err != nil { // ok
		return err
	}
	return c.client.Update(ctx, last) // ok
}

// collected gathers its options before it reads.
func (c *controller) collected(ctx context.Context, namespaces ...string) error {
	opts := []client.ListOption{client.UnsafeDisableDeepCopy}
	for _, ns := range namespaces {
		opts = append(opts, client.InNamespace(ns))
	}
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, opts...); err != nil {
		return err
	}
	for i := range list.Items {
		list.Items[i].Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Deployment that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @63 "read from the cache here, without a copy"
	}
	return nil
}

// appended adds the option in the end.
func (c *controller) appended(ctx context.Context, opts ...client.ListOption) error {
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, append(opts, client.UnsafeDisableDeepCopy)...); err != nil {
		return err
	}
	list.Items[0].Labels["seen"] = "yes" // want write "mutates an entry of Labels of the Deployment that client read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @75 "read from the cache here, without a copy"
	return nil
}

// sometimes does without copies where it only reads.
func (c *controller) sometimes(ctx context.Context, change bool) error {
	var opts []client.ListOption
	if !change {
		opts = append(opts, client.UnsafeDisableDeepCopy)
	}
	var list appsv1.DeploymentList
	if err := c.client.List(ctx, &list, opts...); err != nil || !change {
		return err
	}
	list.Items[0].Labels["seen"] = "yes" // ok
	return nil
}
