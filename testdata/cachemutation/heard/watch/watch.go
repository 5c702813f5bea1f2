// Package watch has handlers that write to what they hear of, and send it.
package watch

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

type watcher struct {
	client  kubernetes.Interface
	pending chan *corev1.ServiceAccount
}

// claims is the only one in the program that sees claims: the server has what it writes to them.
func (w *watcher) claims(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			claim := obj.(*corev1.PersistentVolumeClaim)
			if claim.Spec.VolumeName == "" {
				claim.Spec.VolumeName = claim.Name
			}
			if _, err := w.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Update(context.TODO(), claim, metav1.UpdateOptions{}); err != nil {
				klog.Errorf("%v: %v", claim, err)
			}
		},
		UpdateFunc: w.changed,
	})
}

func (w *watcher) changed(old, cur any) {
	before, ok := old.(*corev1.PersistentVolumeClaim)
	if !ok {
		return
	}
	after, ok := cur.(*corev1.PersistentVolumeClaim)
	if ok && before.Status.Phase != after.Status.Phase {
		klog.Info(after.Name)
	}
}

// volumes keeps one change to itself.
func (w *watcher) volumes(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().PersistentVolumes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			volume := obj.(*corev1.PersistentVolume)
			volume.Spec.StorageClassName = "plain" // want param "this writes StorageClassName of the PersistentVolume that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 61 fails; change a DeepCopy"
			if volume.Spec.ClaimRef == nil {
				return
			}
			_, _ = w.client.CoreV1().PersistentVolumes().Update(context.TODO(), volume, metav1.UpdateOptions{})
		},
	})
}

// services are asked for by another package.
func (w *watcher) services(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			service := obj.(*corev1.Service)
			service.Spec.SessionAffinity = corev1.ServiceAffinityNone // want param "this writes SessionAffinity of the Service that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 72 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().Services(service.Namespace).Update(context.TODO(), service, metav1.UpdateOptions{})
		},
	})
}

// nodes are heard of by two.
func (w *watcher) nodes(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			node := obj.(*corev1.Node)
			node.Spec.Unschedulable = true // want param "this writes Unschedulable of the Node that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 83 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().Nodes().Update(context.TODO(), node, metav1.UpdateOptions{})
		},
	})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, cur any) { klog.Info(cur.(*corev1.Node).Spec.Unschedulable) },
	})
}

// accounts hands on what it hears of.
func (w *watcher) accounts(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().ServiceAccounts().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			account := obj.(*corev1.ServiceAccount)
			account.Secrets = nil // want param "this writes Secrets of the ServiceAccount that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 97 fails; change a DeepCopy"
			_, _ = w.client.CoreV1().ServiceAccounts(account.Namespace).Update(context.TODO(), account, metav1.UpdateOptions{})
		},
		UpdateFunc: func(_, cur any) { w.queue(cur.(*corev1.ServiceAccount)) },
	})
}

func (w *watcher) queue(account *corev1.ServiceAccount) { w.pending <- account }

// claimSet keeps in mind what it hears of, each in its own way.
type claimSet struct {
	client kubernetes.Interface
	sets   []*appsv1.StatefulSet
	labels map[string]map[string]string
	byName map[string]appsv1.ReplicaSet
	slots  [2]*appsv1.ControllerRevision
	shown  []*batchv1.Job
}

// statefulSets appends what it hears of to what it has.
func (c *claimSet) statefulSets(factory informers.SharedInformerFactory) {
	_, _ = factory.Apps().V1().StatefulSets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			set := obj.(*appsv1.StatefulSet)
			set.Spec.ServiceName = "x" // want param "this writes ServiceName of the StatefulSet that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 121 fails; change a DeepCopy"
			_, _ = c.client.AppsV1().StatefulSets(set.Namespace).Update(context.TODO(), set, metav1.UpdateOptions{})
			c.sets = append(c.sets, set)
		},
	})
}

// deployments keeps the labels of what it hears of.
func (c *claimSet) deployments(factory informers.SharedInformerFactory) {
	_, _ = factory.Apps().V1().Deployments().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			deployment := obj.(*appsv1.Deployment)
			deployment.Spec.Paused = true // want param "this writes Paused of the Deployment that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 133 fails; change a DeepCopy"
			_, _ = c.client.AppsV1().Deployments(deployment.Namespace).Update(context.TODO(), deployment, metav1.UpdateOptions{})
			c.labels[deployment.Name] = deployment.Labels
		},
	})
}

// replicaSets keeps the struct of what it hears of.
func (c *claimSet) replicaSets(factory informers.SharedInformerFactory) {
	_, _ = factory.Apps().V1().ReplicaSets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			set := obj.(*appsv1.ReplicaSet)
			set.Spec.MinReadySeconds = 1 // want param "this writes MinReadySeconds of the ReplicaSet that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 145 fails; change a DeepCopy"
			_, _ = c.client.AppsV1().ReplicaSets(set.Namespace).Update(context.TODO(), set, metav1.UpdateOptions{})
			c.byName[set.Name] = *set
		},
	})
}

// revisions keeps what it hears of in an array.
func (c *claimSet) revisions(factory informers.SharedInformerFactory) {
	_, _ = factory.Apps().V1().ControllerRevisions().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			revision := obj.(*appsv1.ControllerRevision)
			revision.Revision = 1 // want param "this writes Revision of the ControllerRevision that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 157 fails; change a DeepCopy"
			_, _ = c.client.AppsV1().ControllerRevisions(revision.Namespace).Update(context.TODO(), revision, metav1.UpdateOptions{})
			c.slots[revision.Revision%2] = revision
		},
	})
}

// jobs copies what it hears of into a slice that it has.
func (c *claimSet) jobs(factory informers.SharedInformerFactory) {
	_, _ = factory.Batch().V1().Jobs().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			job := obj.(*batchv1.Job)
			job.Spec.Suspend = nil // want param "this writes Suspend of the Job that the informer still holds and has given to its handlers: all who read it there see the change, even if the request at line 169 fails; change a DeepCopy"
			_, _ = c.client.BatchV1().Jobs(job.Namespace).Update(context.TODO(), job, metav1.UpdateOptions{})
			copy(c.shown, []*batchv1.Job{job})
		},
	})
}

// cronJobs looks at parts of what it hears of, and keeps none of them.
func (c *claimSet) cronJobs(factory informers.SharedInformerFactory) {
	_, _ = factory.Batch().V1().CronJobs().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			job := obj.(*batchv1.CronJob)
			if !slices.Contains(job.Finalizers, "example.com/kept") {
				job.Finalizers = append(job.Finalizers, "example.com/kept")
			}
			job.Labels["example.com/heard"] = "yes"
			_, _ = c.client.BatchV1().CronJobs(job.Namespace).Update(context.TODO(), job, metav1.UpdateOptions{})
			var names []string
			for _, container := range job.Spec.JobTemplate.Spec.Template.Spec.Containers {
				names = append(names, container.Name)
			}
			for key, value := range job.Annotations {
				names = append(names, key, value)
			}
			names = append(names, job.Finalizers...)
			klog.Info(names)
		},
		UpdateFunc: func(old, cur any) {
			before, after := old.(*batchv1.CronJob), cur.(*batchv1.CronJob)
			if !equality.Semantic.DeepEqual(before.Spec, after.Spec) {
				klog.Info(after.Labels["example.com/heard"])
			}
		},
	})
}

// isChanged decides by what the handlers have written.
func (c *claimSet) isChanged(set *appsv1.StatefulSet, deployment *appsv1.Deployment, replicas *appsv1.ReplicaSet, revision *appsv1.ControllerRevision, job *batchv1.Job) bool {
	if set.Spec.ServiceName == "x" || deployment.Spec.Paused {
		return true
	}
	return replicas.Spec.MinReadySeconds == 1 || revision.Revision == 1 || job.Spec.Suspend == nil
}

// policies hands on what it hears of, and nobody decides by what it has written.
func (w *watcher) policies(factory informers.SharedInformerFactory, shown chan<- *networkingv1.NetworkPolicy) {
	_, _ = factory.Networking().V1().NetworkPolicies().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			policy := obj.(*networkingv1.NetworkPolicy)
			if policy.Labels == nil {
				policy.Labels = map[string]string{}
			}
			policy.Labels["example.com/cluster"] = "here"
			shown <- policy
		},
	})
}

var _ = []any{(*claimSet).cronJobs}
