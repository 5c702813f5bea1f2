// The claims are listed without a copy to save memory, and the note of the last growth is then written into the map of annotations that the cache has.
//
//adv:rule=cachemutation sub=disabled claim=yes

// Package pvcautogrow lets claims grow when their usage comes near to their size.
package pvcautogrow

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	enabledLabel  = "autogrow.example.org/enabled"
	stepAnnot     = "autogrow.example.org/step"
	lastAnnot     = "autogrow.example.org/last"
	minInterval   = 10 * time.Minute
	usedThreshold = 0.85
)

// Usage tells what part of a claim is in use.
type Usage interface {
	Fraction(ctx context.Context, claim client.ObjectKey) (float64, bool, error)
}

// Grower is a Runnable of the leader.
type Grower struct {
	Client   client.Client
	Usage    Usage
	Interval time.Duration
}

// Start implements manager.Runnable.
func (g *Grower) Start(ctx context.Context) error {
	ticker := time.NewTicker(g.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := g.growAll(ctx); err != nil {
				log.FromContext(ctx).Error(err, "some claims could not grow")
			}
		}
	}
}

func (g *Grower) growAll(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("autogrow")
	claims := &corev1.PersistentVolumeClaimList{}
	err := g.Client.List(ctx, claims, client.MatchingLabels{enabledLabel: "true"}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return fmt.Errorf("list claims: %w", err)
	}
	var errs []error
	for i := range claims.Items {
		claim := &claims.Items[i]
		step, err := resource.ParseQuantity(claim.Annotations[stepAnnot])
		if err != nil {
			continue
		}
		if last, err := time.Parse(time.RFC3339, claim.Annotations[lastAnnot]); err == nil && time.Since(last) < minInterval {
			continue
		}
		used, ok, err := g.Usage.Fraction(ctx, client.ObjectKeyFromObject(claim))
		if err != nil || !ok || used < usedThreshold {
			errs = append(errs, err)
			continue
		}

		base := client.MergeFrom(claim.DeepCopy())
		size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
		size = size.DeepCopy()
		size.Add(step)
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: size}
		claim.Annotations[lastAnnot] = time.Now().UTC().Format(time.RFC3339)
		if err := g.Client.Patch(ctx, claim, base); err != nil {
			errs = append(errs, fmt.Errorf("grow %s/%s: %w", claim.Namespace, claim.Name, err))
			continue
		}
		logger.Info("claim grows", "claim", client.ObjectKeyFromObject(claim), "size", size.String())
	}
	return errors.Join(errs...)
}

// AddToManager registers the grower.
func AddToManager(mgr ctrl.Manager, usage Usage) error {
	return mgr.Add(&Grower{Client: mgr.GetClient(), Usage: usage, Interval: time.Minute})
}
