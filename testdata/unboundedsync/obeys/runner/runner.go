// Package runner has what others run, in a program that says that nothing stops it.
package runner

import "k8s.io/client-go/informers"

// A Provider is known to those who run it.
type Provider struct {
	Factory informers.SharedInformerFactory
}

// Initialize is called by who has the Provider as an interface.
func (p *Provider) Initialize(_ <-chan struct{}) {
	p.Factory.WaitForCacheSync(nil) // ok: main gives wait.NeverStop
}
