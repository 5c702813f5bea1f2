// The first predicate passes changes of the spec alone, but it is or-ed with lifecycle.Terminating, which passes the update that sets the deletion timestamp, so the finalizer is removed.
//
//adv:rule=eventfilter sub=deletion claim=no
package database

import (
	"context"
	"fmt"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/pages/good/database/lifecycle"
	v1 "example.com/pages/good/database/v1"
)

const finalizer = "sql.acme.io/drop"

// Server runs statements.
type Server interface {
	Exec(ctx context.Context, server, statement string) error
}

type databases struct {
	client.Client
	sql Server
}

// asReconciler gives the typed function below the object.
func (d *databases) asReconciler() reconcile.Reconciler {
	return reconcile.AsReconciler[*v1.Database](d.Client, reconcileFunc(d.reconcile))
}

type reconcileFunc func(context.Context, *v1.Database) (reconcile.Result, error)

func (f reconcileFunc) Reconcile(ctx context.Context, db *v1.Database) (reconcile.Result, error) {
	return f(ctx, db)
}

func (d *databases) reconcile(ctx context.Context, db *v1.Database) (reconcile.Result, error) {
	if !db.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(db, finalizer) {
			return reconcile.Result{}, nil
		}
		if db.Status.Name != "" {
			if err := d.sql.Exec(ctx, db.Spec.Server, fmt.Sprintf("DROP DATABASE IF EXISTS %q", db.Status.Name)); err != nil {
				return reconcile.Result{}, fmt.Errorf("drop: %w", err)
			}
		}
		controllerutil.RemoveFinalizer(db, finalizer)
		return reconcile.Result{}, client.IgnoreNotFound(d.Update(ctx, db))
	}
	if controllerutil.AddFinalizer(db, finalizer) {
		if err := d.Update(ctx, db); err != nil {
			return reconcile.Result{}, err
		}
	}
	name := strings.ReplaceAll(db.Namespace+"_"+db.Name, "-", "_")
	if db.Status.Name != name {
		// first, so that the teardown knows of it
		db.Status.Name = name
		if err := d.Status().Update(ctx, db); err != nil {
			return reconcile.Result{}, err
		}
	}
	if err := d.sql.Exec(ctx, db.Spec.Server, fmt.Sprintf("CREATE DATABASE IF NOT EXISTS %q", name)); err != nil {
		return reconcile.Result{}, fmt.Errorf("create: %w", err)
	}
	if err := d.sql.Exec(ctx, db.Spec.Server, fmt.Sprintf("ALTER DATABASE %q OWNER TO %q", name, db.Spec.Owner)); err != nil {
		return reconcile.Result{}, fmt.Errorf("set owner: %w", err)
	}
	for _, ext := range db.Spec.Extensions {
		if err := d.sql.Exec(ctx, db.Spec.Server, fmt.Sprintf("CREATE EXTENSION IF NOT EXISTS %q", ext)); err != nil {
			return reconcile.Result{}, fmt.Errorf("extension %s: %w", ext, err)
		}
	}
	return reconcile.Result{}, nil
}

// Add wires the controller.
func Add(mgr ctrl.Manager, sql Server) error {
	d := &databases{Client: mgr.GetClient(), sql: sql}
	c, err := controller.New("database", mgr, controller.Options{Reconciler: d.asReconciler()})
	if err != nil {
		return err
	}
	spec := func(db *v1.Database) v1.DatabaseSpec { return db.Spec }
	return c.Watch(source.Kind(mgr.GetCache(), &v1.Database{}, &handler.TypedEnqueueRequestForObject[*v1.Database]{},
		predicate.Or(lifecycle.Changed(spec, v1.DatabaseSpec.Equal), lifecycle.Terminating[*v1.Database]())))
}
