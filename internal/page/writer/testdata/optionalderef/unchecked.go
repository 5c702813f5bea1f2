package example

type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GatewaySpec `json:"spec,omitempty"`
}

func (g *Gateway) DeepCopyObject() runtime.Object {
	out := *g
	return &out
}

type Proxy struct {
	Image string `json:"image"`
}

func deploy(image string) error { return nil }
