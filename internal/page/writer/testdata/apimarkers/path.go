package example

type PlotSpec struct {
	NodeSelector string `json:"nodeSelector"`
}
