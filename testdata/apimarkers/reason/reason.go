// Package reason has conditions that the API server refuses.
package reason

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const unload = "Unload Error"

func literal(conditions *[]metav1.Condition) {
	meta.SetStatusCondition(conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "not found"}) // want reason `Reason "not found" does not match the pattern of conditions, and the API server refuses the whole status: write NotFound`
}

func typed() *metav1.Condition {
	return &metav1.Condition{
		Type:   "Garden Ready", // want reason `Type "Garden Ready" does not match the pattern of conditions, and the API server refuses the whole status: write GardenReady`
		Reason: unload,         // want reason `Reason "Unload Error" does not match the pattern of conditions, and the API server refuses the whole status: write UnloadError`
	}
}

func assigned(c *metav1.Condition) {
	c.Reason = "3rdTry" // want reason `Reason "3rdTry" does not match the pattern of conditions, and the API server refuses the whole status: begin it with a letter`
}

func elements() []metav1.Condition {
	return []metav1.Condition{{Type: "Ready", Reason: "Failed!"}} // want reason `Reason "Failed!" does not match the pattern of conditions, and the API server refuses the whole status: write Failed`
}

func text(err error) metav1.Condition {
	return metav1.Condition{Type: "Ready", Reason: err.Error(), Message: err.Error()} // want reason "Reason is the text of an error, and the API server refuses the whole status: write a word, and the error as Message"
}

// It writes its parameter.
func set(conditions *[]metav1.Condition, kind, reason string) {
	meta.SetStatusCondition(conditions, metav1.Condition{Type: kind, Reason: reason})
}

func caller(conditions *[]metav1.Condition, err error) {
	set(conditions, "Ready", "all is well") // want reason `Reason "all is well" does not match the pattern of conditions, and the API server refuses the whole status: write AllIsWell`
	set(conditions, "Ready", err.Error())   // want reason "Reason is the text of an error, and the API server refuses the whole status: write a word, and the error as Message"
}
