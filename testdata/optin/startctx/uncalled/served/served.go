// Package served has servers that do not look at what asks them to stop.
package served

import (
	"net/http"

	"k8s.io/klog/v2"
)

// Outlived is started by a leader with whose lease the process ends.
type Outlived struct{}

// Run is ok.
func (o *Outlived) Run(stop <-chan struct{}) {
	server := &http.Server{Addr: ":8080"}
	klog.Error(server.ListenAndServe())
}

// Asked is started by a leader that leads no more then.
type Asked struct{}

// Run is not.
func (a *Asked) Run(stop <-chan struct{}) { // want ignored "Server.ListenAndServe at line 25 does not end when stop is closed, so nothing can stop (*Asked).Run; call Server.Shutdown then" @25 "(*Asked).Run blocks here"
	server := &http.Server{Addr: ":8081"}
	klog.Error(server.ListenAndServe())
}

// Called is waited for.
type Called struct{}

// Run is not.
func (c *Called) Run(stop <-chan struct{}) { // want ignored "Server.ListenAndServe at line 34 does not end when stop is closed, so nothing can stop (*Called).Run; call Server.Shutdown then" @34 "(*Called).Run blocks here"
	server := &http.Server{Addr: ":8082"}
	klog.Error(server.ListenAndServe())
}

// Parted is started by a leader that is called as something else, too.
type Parted struct{}

// Run is not.
func (p *Parted) Run(stop <-chan struct{}) { // want ignored "Server.ListenAndServe at line 43 does not end when stop is closed, so nothing can stop (*Parted).Run; call Server.Shutdown then" @43 "(*Parted).Run blocks here"
	server := &http.Server{Addr: ":8083"}
	klog.Error(server.ListenAndServe())
}
