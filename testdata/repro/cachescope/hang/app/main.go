// Command app runs both reconcilers.
package main

import (
	"log"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/repro/cachescope/hang"
)

func main() {
	m, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	use := func(s *corev1.Secret) { log.Print(s.Name) }
	if err := hang.AddBad(m, use); err != nil {
		log.Fatal(err)
	}
	if err := hang.AddGood(m, use); err != nil {
		log.Fatal(err)
	}
	if err := m.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Fatal(err)
	}
}
