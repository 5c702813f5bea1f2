package guardedrunner

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// getOptions reads what the API server has in its watch cache.
var getOptions = metav1.GetOptions{ResourceVersion: "0"}
