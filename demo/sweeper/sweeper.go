// Package sweeper deletes backups that need not be retained any longer.
package sweeper

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

// Sweeper looks through all backups from time to time.
type Sweeper struct {
	Client   client.Client
	Interval time.Duration
	Journal  *Journal
}

func (s *Sweeper) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("sweeper")
	ticker := time.NewTicker(s.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			logger.Info("shutting down")
		case <-ticker.C:
			if err := s.sweep(ctx, time.Now()); err != nil {
				logger.Error(err, "some backups are left for the next time")
			}
		}
	}
}

func (s *Sweeper) sweep(ctx context.Context, now time.Time) error {
	var backups v1.BackupList
	if err := s.Client.List(ctx, &backups); err != nil {
		return err
	}
	for _, backup := range backups.Items {
		retain := backup.Spec.RetainFor.Duration
		if retain == 0 || now.Before(backup.CreationTimestamp.Add(retain)) {
			continue
		}
		if err := s.Client.Delete(ctx, &backup); client.IgnoreNotFound(err) != nil {
			return err
		}
		s.Journal.Swept(&backup)
	}
	return nil
}
