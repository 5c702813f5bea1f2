package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// generationless are the built-in kinds whose metadata.generation never moves, by package: those whose strategy in the
// API server, versions 1.24 to 1.36, does not move it in PrepareForUpdate.
var generationless = map[string]string{
	coreV1: "Node Secret ConfigMap Service Namespace ServiceAccount Endpoints Event LimitRange ResourceQuota " +
		"PersistentVolume PersistentVolumeClaim",
	"k8s.io/api/coordination/v1":     "Lease",
	"k8s.io/api/rbac/v1":             "Role RoleBinding ClusterRole ClusterRoleBinding",
	"k8s.io/api/rbac/v1beta1":        "Role RoleBinding ClusterRole ClusterRoleBinding",
	"k8s.io/api/storage/v1":          "StorageClass VolumeAttachment",
	"k8s.io/api/autoscaling/v1":      "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2":      "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2beta1": "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2beta2": "HorizontalPodAutoscaler",
	"k8s.io/api/certificates/v1":     "CertificateSigningRequest",
	"k8s.io/api/node/v1":             "RuntimeClass",
	"k8s.io/api/resource/v1":         "ResourceClaim",
	"k8s.io/api/resource/v1beta1":    "ResourceClaim",
	"k8s.io/api/resource/v1beta2":    "ResourceClaim",
}

// HasGeneration says whether the API server counts the changes of objects of type t in metadata.generation. Pods have a
// generation since 1.33, so that it depends on the cluster.
func HasGeneration(t types.Type) flow.Truth {
	n := Named(t)
	if n == nil || n.Obj().Pkg() == nil || isCore(n, "Pod") {
		return flow.Unknown
	}
	list := strings.Fields(generationless[Path(n.Obj().Pkg().Path())])
	return flow.TruthOf(!slices.Contains(list, n.Obj().Name()))
}

// protected are the built-in kinds to whose objects controllers of the cluster itself, or of its cloud, add a
// finalizer.
var protected = map[Symbol]string{
	{Pkg: coreV1, Name: "Service"}:                     "service.kubernetes.io/load-balancer-cleanup",
	{Pkg: coreV1, Name: "PersistentVolumeClaim"}:       "kubernetes.io/pvc-protection",
	{Pkg: coreV1, Name: "PersistentVolume"}:            "kubernetes.io/pv-protection",
	{Pkg: "k8s.io/api/networking/v1", Name: "Ingress"}: "ingress.k8s.aws/resources",
}

// Protected returns the finalizer that the cluster, or its cloud, adds to objects of the built-in kind n; "" for none.
func Protected(n *types.Named) string { return protected[typeSymbol(n)] }

// Guarded reports whether a controller of the cluster keeps a finalizer on objects of the built-in kind n, as the maker
// of the pods of a job does.
func Guarded(n *types.Named) bool { return Protected(n) != "" || isCore(n, "Pod") }

// Outlasts reports whether the cluster keeps a deleted object of the built-in kind n while it is in use.
func Outlasts(n *types.Named) bool {
	return isCore(n, "PersistentVolumeClaim") || isCore(n, "PersistentVolume") || isCore(n, "Namespace")
}

// HasData reports whether objects of the kind n are Secrets or ConfigMaps.
func HasData(n *types.Named) bool { return isCore(n, "Secret") || isCore(n, "ConfigMap") }

// IsData reports whether f is a field with what a Secret or ConfigMap is there for.
func IsData(f *types.Var) bool {
	return f.Name() == "Data" || f.Name() == "BinaryData" || f.Name() == "StringData"
}

// IsStatus reports whether f is the status of an object.
func IsStatus(f *types.Var) bool { return f != nil && f.Name() == Status }

// IsService reports whether t is a Service.
func IsService(t types.Type) bool { return isCore(Named(t), "Service") }

// BalancerField says what of a Service's type is at fa: the type itself, or all of the spec.
func BalancerField(fa *ssa.FieldAddr) (isType, spec bool) {
	f := flow.Field(fa.X.Type(), fa.Field)
	return f != nil && f.Name() == "Type" && IsType(fa.X.Type(), coreV1, "ServiceSpec"), f != nil && f.Name() == "Spec" && IsService(fa.X.Type())
}

// IsBuiltin reports whether n is a kind of Kubernetes itself.
func IsBuiltin(n *types.Named) bool {
	return strings.HasPrefix(Path(n.Obj().Pkg().Path()), "k8s.io/api/")
}

func isCore(n *types.Named, name string) bool {
	return n != nil && typeSymbol(n) == Symbol{Pkg: coreV1, Name: name}
}

func typeSymbol(n *types.Named) Symbol {
	if n.Obj().Pkg() == nil {
		return Symbol{}
	}
	return Symbol{Pkg: Path(n.Obj().Pkg().Path()), Name: n.Obj().Name()}
}

// IsEventObject reports whether t is the object that tells of an event, of either API group.
func IsEventObject(t types.Type) bool {
	return IsType(t, coreV1, "Event") || IsType(t, "k8s.io/api/events/v1", "Event") || IsType(t, "k8s.io/api/events/v1beta1", "Event")
}
