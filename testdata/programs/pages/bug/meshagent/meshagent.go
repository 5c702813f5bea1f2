// The handler of the DaemonSet watch has an empty Delete, so a DaemonSet that somebody deletes by mistake, which the reconciler makes whenever there is none, is not made again.
//
//adv:rule=eventfilter sub=deletion claim=near
package meshagent

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const meshLabel = "mesh.acme.io/name"

// Mesh is the set of agents of a network.
type Mesh struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Image    string `json:"image"`
		LogLevel string `json:"logLevel,omitempty"`
	} `json:"spec"`
	Status struct {
		ReadyAgents int32        `json:"readyAgents"`
		LastSync    *metav1.Time `json:"lastSync,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *Mesh) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.LastSync = in.Status.LastSync.DeepCopy()
	return &out
}

// agentEvents brings events of agents to their mesh.
type agentEvents struct{}

var _ handler.EventHandler = agentEvents{}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

func (agentEvents) add(o client.Object, q queue) {
	if mesh, ok := o.GetLabels()[meshLabel]; ok {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: mesh}})
	}
}

// Create implements handler.EventHandler.
func (h agentEvents) Create(_ context.Context, e event.CreateEvent, q queue) { h.add(e.Object, q) }

// Update implements handler.EventHandler.
func (h agentEvents) Update(_ context.Context, e event.UpdateEvent, q queue) {
	h.add(e.ObjectOld, q)
	h.add(e.ObjectNew, q)
}

// Delete implements handler.EventHandler. The garbage collector takes the agents when their mesh goes.
func (agentEvents) Delete(context.Context, event.DeleteEvent, queue) {}

// Generic implements handler.EventHandler.
func (agentEvents) Generic(context.Context, event.GenericEvent, queue) {}

type reconcileMesh struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *reconcileMesh) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	mesh := &Mesh{}
	if err := r.client.Get(ctx, req.NamespacedName, mesh); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	ds := &appsv1.DaemonSet{}
	err := r.client.Get(ctx, types.NamespacedName{Namespace: mesh.Namespace, Name: mesh.Name + "-agent"}, ds)
	switch {
	case apierrors.IsNotFound(err):
		ds = r.agents(mesh)
		if err := ctrl.SetControllerReference(mesh, ds, r.scheme); err != nil {
			return reconcile.Result{}, err
		}
		log.FromContext(ctx).Info("creating agents", "daemonset", ds.Name)
		return reconcile.Result{}, r.client.Create(ctx, ds)
	case err != nil:
		return reconcile.Result{}, err
	}
	if want := r.agents(mesh).Spec.Template.Spec.Containers[0]; ds.Spec.Template.Spec.Containers[0].Image != want.Image {
		ds.Spec.Template.Spec.Containers[0].Image = want.Image
		if err := r.client.Update(ctx, ds); err != nil {
			return reconcile.Result{}, err
		}
	}
	if mesh.Status.ReadyAgents == ds.Status.NumberReady {
		return reconcile.Result{}, nil
	}
	mesh.Status.ReadyAgents = ds.Status.NumberReady
	mesh.Status.LastSync = &metav1.Time{Time: time.Now()}
	return reconcile.Result{}, r.client.Status().Update(ctx, mesh)
}

func (r *reconcileMesh) agents(mesh *Mesh) *appsv1.DaemonSet {
	labels := map[string]string{meshLabel: mesh.Name}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: mesh.Namespace, Name: mesh.Name + "-agent", Labels: labels},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "agent", Image: mesh.Spec.Image, Args: []string{"--log-level=" + mesh.Spec.LogLevel},
				}}},
			},
		},
	}
}

// Add creates the mesh controller and adds it to the manager.
func Add(mgr manager.Manager) error {
	c, err := controller.New("mesh-controller", mgr, controller.Options{
		Reconciler: &reconcileMesh{client: mgr.GetClient(), scheme: mgr.GetScheme()},
	})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind[client.Object](mgr.GetCache(), &Mesh{}, &handler.EnqueueRequestForObject{})); err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &appsv1.DaemonSet{}, agentEvents{}))
}
