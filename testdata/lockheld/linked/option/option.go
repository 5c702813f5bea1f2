// Package option waits for caches where an option says so.
package option

import "k8s.io/client-go/tools/cache"

// Options say what a Loop does.
type Options struct {
	Wait    bool // nobody sets it
	Patient bool
}

// A Loop runs something.
type Loop interface{ Run() }

type loop struct {
	options  Options
	informer cache.SharedIndexInformer
	stop     chan struct{}
}

// New is a Loop with options that its maker chooses.
func New(options Options) Loop {
	return &loop{options: options, informer: cache.NewSharedIndexInformer(nil, nil, 0, nil), stop: make(chan struct{})}
}

// Run waits where it is to.
func (l *loop) Run() {
	if l.options.Wait {
		cache.WaitForCacheSync(l.stop, l.informer.HasSynced)
	}
}

// A PatientLoop runs something, too.
type PatientLoop interface{ RunPatiently() }

type patient struct {
	options  Options
	informer cache.SharedIndexInformer
	stop     chan struct{}
}

// NewPatient is as New, for another option.
func NewPatient(options Options) PatientLoop {
	return &patient{options: options, informer: cache.NewSharedIndexInformer(nil, nil, 0, nil), stop: make(chan struct{})}
}

// RunPatiently waits where it is to.
func (p *patient) RunPatiently() {
	if p.options.Patient {
		cache.WaitForCacheSync(p.stop, p.informer.HasSynced)
	}
}
