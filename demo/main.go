// The operator backs up the volumes of several clusters.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/ctrllint/ctrllint/demo/admission"
	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/bucket"
	"github.com/ctrllint/ctrllint/demo/clusters"
	"github.com/ctrllint/ctrllint/demo/controllers"
	"github.com/ctrllint/ctrllint/demo/sweeper"
)

var (
	namespace = flag.String("namespace", "backup-system", "where the secrets with kubeconfigs are")
	bucketURL = flag.String("bucket", "https://archives.example.com", "the service that keeps the archives")
)

func main() {
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		ctrl.Log.Error(err, "the operator has failed")
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1.AddToScheme(scheme)); err != nil {
		return err
	}
	config := ctrl.GetConfigOrDie()
	mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, LeaderElection: true, LeaderElectionID: "backup.example.com"})
	if err != nil {
		return err
	}

	if err := (&controllers.BackupReconciler{
		Client:    mgr.GetClient(),
		Inventory: clusters.NewRegistry(ctx, mgr.GetAPIReader(), *namespace).Inventory,
		Bucket:    &bucket.Client{URL: *bucketURL, Key: os.Getenv("BUCKET_KEY")},
	}).SetupWithManager(mgr); err != nil {
		return err
	}
	journal := sweeper.NewJournal(os.Stdout)
	if err := mgr.Add(journal); err != nil {
		return err
	}
	if err := mgr.Add(&sweeper.Sweeper{Client: mgr.GetClient(), Interval: time.Hour, Journal: journal}); err != nil {
		return err
	}

	validator, err := admission.NewValidator(ctx, kubernetes.NewForConfigOrDie(config))
	if err != nil {
		return err
	}
	if err := ctrl.NewWebhookManagedBy(mgr, &v1.Backup{}).WithValidator(validator).Complete(); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
