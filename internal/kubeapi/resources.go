package kubeapi

import (
	"go/types"
	"slices"
	"strings"
)

// The markers by which controller-gen and the generators of Kubernetes know kinds and permissions.
const (
	MarkerRBAC        = "kubebuilder:rbac"
	MarkerRoot        = "kubebuilder:object:root"
	MarkerResource    = "kubebuilder:resource"
	MarkerDeepCopy    = "k8s:deepcopy-gen:interfaces"
	MarkerNoNamespace = "genclient:nonNamespaced"
	MarkerGroup       = "groupName"
	MarkerVersion     = "versionName"
	RuntimeObject     = runtimePkg + ".Object"
	ScopeCluster      = "Cluster" // of a CustomResourceDefinition and its marker
	apiExtensions     = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"
	apiRegistration   = "k8s.io/kube-aggregator/pkg/apis/apiregistration/"
	BuiltIn           = "k8s.io/api/"
)

// IsGroupVersion reports whether t is a schema.GroupVersion.
func IsGroupVersion(t types.Type) bool { return IsType(t, runtimePkg+"/schema", "GroupVersion") }

// IsVersionField reports whether a field of that name in a schema.GroupVersion is the version.
func IsVersionField(name string) bool { return name == "Version" }

// IsSchemeVersion reports whether a variable of that name has the group and version of all kinds of its package.
func IsSchemeVersion(name string) bool { return name == "GroupVersion" || name == "SchemeGroupVersion" }

// IsKind reports whether objects of the cluster are of the struct t.
func IsKind(t types.Type) bool {
	return fieldOf(t, "TypeMeta") != nil && fieldOf(t, ObjectMeta) != nil && IsObject(types.NewPointer(t))
}

// groups are the API groups of the folders of k8s.io/api. The group of another folder has its name, with .k8s.io.
var groups = map[string]string{
	"core": "", "apps": "apps", "autoscaling": "autoscaling", "batch": "batch", "extensions": "extensions", "policy": "policy",
	"rbac": "rbac.authorization.k8s.io", "flowcontrol": "flowcontrol.apiserver.k8s.io", "apiserverinternal": "internal.apiserver.k8s.io",
}

// inCluster are the built-in kinds without a namespace.
var inCluster = strings.Fields(`APIService CertificateSigningRequest ClusterRole ClusterRoleBinding ClusterTrustBundle ComponentStatus
	CSIDriver CSINode CustomResourceDefinition DeviceClass DeviceTaintRule FlowSchema IngressClass IPAddress
	MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration Namespace Node PersistentVolume
	PodSecurityPolicy PriorityClass PriorityLevelConfiguration ResourcePoolStatusRequest ResourceSlice RuntimeClass
	SelfSubjectAccessReview SelfSubjectReview SelfSubjectRulesReview ServiceCIDR StorageClass StorageVersion
	StorageVersionMigration SubjectAccessReview TokenReview ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
	ValidatingWebhookConfiguration VolumeAttachment VolumeAttributesClass`)

// noResource are the types of k8s.io/api with the metadata of objects that are sent as subresources, or never.
var noResource = strings.Fields("AdmissionReview APIGroupDiscovery ConversionReview DeploymentRollback Eviction ImageReview RangeAllocation Scale")

// ResourceOf returns the API group and the resource of a kind of Kubernetes itself, by the name of its type
// ("k8s.io/api/apps/v1.Deployment"), and whether its objects are in no namespace. It is not ok for other types.
func ResourceOf(goType string) (group, resource string, cluster, ok bool) {
	dot := strings.LastIndexByte(goType, '.')
	if dot < 0 {
		return "", "", false, false
	}
	pkg, kind := Path(goType[:dot]), goType[dot+1:]
	switch folder, version, _ := strings.Cut(strings.TrimPrefix(pkg, BuiltIn), "/"); {
	case strings.HasPrefix(pkg, apiExtensions):
		group = "apiextensions.k8s.io"
	case strings.HasPrefix(pkg, apiRegistration):
		group = "apiregistration.k8s.io"
	case !strings.HasPrefix(pkg, BuiltIn) || version == "" || slices.Contains(noResource, kind):
		return "", "", false, false
	default:
		if group, ok = groups[folder]; !ok {
			group = folder + ".k8s.io"
		}
	}
	return group, plural(strings.ToLower(kind)), slices.Contains(inCluster, kind), true
}

// plural returns the plural of a built-in kind in lower case.
func plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "endpoints"):
		return kind
	case strings.HasSuffix(kind, "s"):
		return kind + "es"
	case strings.HasSuffix(kind, "y"): // after a consonant in all built-in kinds
		return kind[:len(kind)-1] + "ies"
	}
	return kind + "s"
}

// IsBuiltInGroup reports whether the API group is one of k8s.io/api.
func IsBuiltInGroup(group string) bool {
	if folder, ok := strings.CutSuffix(group, ".k8s.io"); ok && builtinGroups[folder] {
		return true
	}
	for _, g := range groups {
		if g == group {
			return true
		}
	}
	return false
}

// IsRole reports whether the kind of that name, as [KindName] gives it, is one of roles or their bindings: who writes
// them has to have all permissions that they grant.
func IsRole(name string) bool { return strings.HasPrefix(name, BuiltIn+"rbac/") }

// byLibraries are resources that leader election, recorders of Events and the guards of metrics ask for.
var byLibraries = strings.Fields("events leases configmaps endpoints tokenreviews subjectaccessreviews")

// AskedByLibraries reports whether controller-runtime asks for the resource of that name, without a call by the program.
func AskedByLibraries(resource string) bool { return slices.Contains(byLibraries, resource) }

// IsAccessReview reports whether the kind of that name, as [KindName] gives it, asks what the caller may do.
func IsAccessReview(name string) bool { return strings.HasPrefix(name, BuiltIn+"authorization/") }
