// Command app is to leave when it is told to.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/operators/repro/unboundedsync/startup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	config, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	if _, err := startup.Bad(ctx, client); err != nil {
		log.Print(err)
	}
	if _, err := startup.Good(ctx, client); err != nil {
		log.Print(err)
	}
}
