// Package sweeps has finalizers that go in one loop over objects that another one deletes.
package sweeps

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type sweeper struct{ client.Client }

func (s *sweeper) places(ctx context.Context, list *corev1.PersistentVolumeClaimList) error {
	for i := range list.Items {
		list.Items[i].Finalizers = nil
		if err := s.Update(ctx, &list.Items[i]); err != nil { // want removedbeforedelete "list.Items[...] loses all its finalizers before it is deleted (line 21): one added in between makes the deletion hang; delete first" @21 "the object is deleted here"
			return err
		}
	}
	for i := range list.Items {
		if err := s.Delete(ctx, &list.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *sweeper) pointers(ctx context.Context, claims []*corev1.PersistentVolumeClaim) error {
	for _, claim := range claims {
		claim.SetFinalizers(nil)
		if err := s.Update(ctx, claim); err != nil { // want removedbeforedelete "claim loses all its finalizers before it is deleted (line 36): one added in between makes the deletion hang; delete first" @36 "the object is deleted here"
			return err
		}
	}
	for _, claim := range claims {
		if err := s.Delete(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

func (s *sweeper) copies(ctx context.Context, list *corev1.PersistentVolumeClaimList) error {
	for _, claim := range list.Items {
		claim.Finalizers = nil
		if err := s.Update(ctx, &claim); err != nil { // want removedbeforedelete "claim loses all its finalizers before it is deleted (line 51): one added in between makes the deletion hang; delete first" @51 "the object is deleted here"
			return err
		}
	}
	for _, claim := range list.Items {
		if err := s.Delete(ctx, &claim); err != nil {
			return err
		}
	}
	return nil
}

// deleted first is right: the finalizers go from what is being deleted.
func (s *sweeper) first(ctx context.Context, claims []*corev1.PersistentVolumeClaim) error {
	for _, claim := range claims {
		if err := s.Delete(ctx, claim); err != nil {
			return err
		}
	}
	for _, claim := range claims {
		claim.SetFinalizers(nil)
		if err := s.Update(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// others are not those that lose their finalizers.
func (s *sweeper) others(ctx context.Context, claims, others []*corev1.PersistentVolumeClaim) error {
	for _, claim := range claims {
		claim.SetFinalizers(nil)
		if err := s.Update(ctx, claim); err != nil {
			return err
		}
	}
	for _, claim := range others {
		if err := s.Delete(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// batches are other ones each time.
func (s *sweeper) batches(ctx context.Context, batches [][]*corev1.PersistentVolumeClaim) error {
	var last []*corev1.PersistentVolumeClaim
	for _, batch := range batches {
		for _, claim := range last {
			if err := s.Delete(ctx, claim); err != nil {
				return err
			}
		}
		for _, claim := range batch {
			claim.SetFinalizers(nil)
			if err := s.Update(ctx, claim); err != nil {
				return err
			}
		}
		last = batch
	}
	return nil
}
