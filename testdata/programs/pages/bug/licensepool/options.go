package licensepool

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

var patchOptions = metav1.PatchOptions{FieldManager: "license-controller"}
