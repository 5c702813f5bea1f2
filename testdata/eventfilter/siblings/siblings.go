// Package siblings has change filters over structs whose fields come in families.
package siblings

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Gate holds a pod in some phase until its labels are there.
type Gate struct {
	Labels []string
	Strict bool
}

// Gates has nothing but gates.
type Gates struct {
	Boot  *Gate
	Drain *Gate
	Swap  *Gate
}

type Fleet struct {
	Gates *Gates
	Ports Ports
	Times Times
	Parts Parts
}

// Ports has gates and something else.
type Ports struct {
	Name     string
	Incoming Gate
	Outgoing Gate
	Internal Gate
}

type Times struct {
	Begun, Paused, Ended *metav1.Time
}

type Parts struct {
	Left, Right, Middle Gate
}

func gateLabelChanged(fl *Fleet, oldPod, newPod *corev1.Pod) bool { // want siblings "gateLabelChanged checks Gates.Boot and Gates.Drain but not Gates.Swap: changes that concern only Swap are dropped; check Swap as well" @55 "Gates.Boot is read here" @62 "Gates.Drain is read here"
	if fl.Gates == nil {
		return false
	}
	if fl.Gates.Boot != nil {
		for _, l := range fl.Gates.Boot.Labels {
			if oldPod.Labels[l] != newPod.Labels[l] {
				return true
			}
		}
	}
	if fl.Gates.Drain != nil {
		for _, l := range fl.Gates.Drain.Labels {
			if oldPod.Labels[l] != newPod.Labels[l] {
				return true
			}
		}
	}
	return false
}

// Phases say who holds an object in which phase of its life.
type Phases struct {
	Starting *Hold
	Updating *Hold
	Stopping *Hold
}

type Hold struct {
	Labels     map[string]string
	Finalizers []string
}

func holdReleased(phases *Phases, oldPod, newPod *corev1.Pod) bool { // want siblings "holdReleased checks Phases.Updating and Phases.Stopping but not Phases.Starting: changes that concern only Starting are dropped; check Starting as well" @92 "Phases.Updating is read here" @85 "Phases.Stopping is read here"
	if phases.Stopping != nil {
		for _, f := range phases.Stopping.Finalizers {
			if controllerutil.ContainsFinalizer(oldPod, f) != controllerutil.ContainsFinalizer(newPod, f) {
				return true
			}
		}
	}
	if phases.Updating != nil {
		for _, f := range phases.Updating.Finalizers {
			if controllerutil.ContainsFinalizer(oldPod, f) != controllerutil.ContainsFinalizer(newPod, f) {
				return true
			}
		}
	}
	return false
}

func everyGateChanged(fl *Fleet, oldPod, newPod *corev1.Pod) bool { // ok: all of them
	for _, g := range []*Gate{fl.Gates.Boot, fl.Gates.Drain, fl.Gates.Swap} {
		if g != nil && len(g.Labels) > 0 && oldPod.Labels[g.Labels[0]] != newPod.Labels[g.Labels[0]] {
			return true
		}
	}
	return false
}

func outerChanged(fl *Fleet, oldPod, newPod *corev1.Pod) bool { // ok: reads the third one itself
	return someGateChanged(fl, oldPod, newPod) || len(fl.Gates.Swap.Labels) > 0
}

func someGateChanged(fl *Fleet, oldPod, newPod *corev1.Pod) bool { // ok: its caller reads the third one
	return oldPod.Labels[fl.Gates.Boot.Labels[0]] != newPod.Labels[fl.Gates.Boot.Labels[0]] ||
		oldPod.Labels[fl.Gates.Drain.Labels[0]] != newPod.Labels[fl.Gates.Drain.Labels[0]]
}

func portsChanged(oldFleet, newFleet *Fleet) bool { // want siblings "portsChanged checks Ports.Incoming and Ports.Outgoing but not Ports.Internal: changes that concern only Internal are dropped; check Internal as well, since open reads it (line 126)" @126 "open reads it here" @121 "Ports.Incoming is read here" @122 "Ports.Outgoing is read here"
	return !reflect.DeepEqual(oldFleet.Ports.Incoming, newFleet.Ports.Incoming) ||
		!reflect.DeepEqual(oldFleet.Ports.Outgoing, newFleet.Ports.Outgoing)
}

func open(fl *Fleet) int {
	return len(fl.Ports.Incoming.Labels) + len(fl.Ports.Internal.Labels)
}

func partsChanged(oldFleet, newFleet *Fleet) bool { // ok: the whole struct is compared as well
	if oldFleet.Parts.Left.Strict != newFleet.Parts.Left.Strict || oldFleet.Parts.Right.Strict != newFleet.Parts.Right.Strict {
		return true
	}
	return !reflect.DeepEqual(oldFleet.Parts, newFleet.Parts)
}

func differently(oldFleet, newFleet *Fleet) bool { // ok: the two fields are used in different ways
	return oldFleet.Parts.Left.Strict && len(newFleet.Parts.Right.Labels) > 0
}

func timesChanged(oldFleet, newFleet *Fleet) bool { // ok: times are no family
	return oldFleet.Times.Begun.Equal(newFleet.Times.Begun) || oldFleet.Times.Paused.Equal(newFleet.Times.Paused)
}

func less(a, b *Fleet) bool { // ok: an order, not a change
	return a.Parts.Left.Strict && !b.Parts.Left.Strict || a.Parts.Right.Strict && !b.Parts.Right.Strict
}

// Workload is an object of the cluster.
type Workload struct {
	client.Object
	Hooks Hooks
}

type Hooks struct{ First, Second, Third Gate }

var filter = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool { // want siblings "this update predicate checks Hooks.First and Hooks.Second but not Hooks.Third: changes that concern only Third are dropped; check Third as well" @159 "Hooks.First is read here" @159 "Hooks.Second is read here"
		was, is := e.ObjectOld.(*Workload), e.ObjectNew.(*Workload)
		return was.Hooks.First.Strict != is.Hooks.First.Strict || was.Hooks.Second.Strict != is.Hooks.Second.Strict
	},
}

type probes struct{ predicate.Funcs }

func (probes) Update(e event.UpdateEvent) bool { // want siblings "probes.Update checks Container.LivenessProbe and Container.ReadinessProbe but not Container.StartupProbe: changes that concern only StartupProbe are dropped; check StartupProbe as well, since slowest reads it (line 172)" @172 "slowest reads it here" @167 "Container.LivenessProbe is read here" @168 "Container.ReadinessProbe is read here"
	was, is := e.ObjectOld.(*corev1.Pod).Spec.Containers[0], e.ObjectNew.(*corev1.Pod).Spec.Containers[0]
	return was.LivenessProbe.PeriodSeconds != is.LivenessProbe.PeriodSeconds ||
		was.ReadinessProbe.PeriodSeconds != is.ReadinessProbe.PeriodSeconds
}

func slowest(c corev1.Container) int32 {
	return max(c.LivenessProbe.PeriodSeconds, c.StartupProbe.PeriodSeconds)
}

func nearer(origin, target *Fleet) bool { // ok: two fleets, not two versions of one
	return origin.Ports.Incoming.Strict != target.Ports.Incoming.Strict && origin.Ports.Outgoing.Strict != target.Ports.Outgoing.Strict
}
