package reason

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func good(conditions *[]metav1.Condition, c *metav1.Condition, reason string) {
	c.Reason = "NotFound"
	c.Reason = "Code:404,Body_"
	c.Type = "gardens.example.com/Ready-2.0"
	c.Message = "it is not there"
	c.Reason = reason
	c.Reason = ""
	set(conditions, "Ready", "AllIsWell")
	cleaned(c, "all is well")
	own(own2{Reason: "a text"})
}

// It makes a word of its parameter.
func cleaned(c *metav1.Condition, reason string) {
	reason = strings.ReplaceAll(reason, " ", "")
	c.Reason = reason
}

// own2 has no pattern.
type own2 struct{ Reason string }

func own(own2) {}

var _ = good
