package example

type PlotSpec struct {
	Policy Policy `json:"policy"`
}

func replant(*PlotSpec) {}

func plant(*PlotSpec) {}

var _ = apply
