// Package loops has run loops with a stop channel.
package loops

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// Run waits on two goroutines.
func Run(stop <-chan struct{}) {
	go wait.Until(func() { klog.Info("a turn") }, time.Second, stop)
	<-stop
}

// Alone waits on one.
func Alone(stop <-chan struct{}) { wait.Until(func() { klog.Info("a turn") }, time.Second, stop) }
