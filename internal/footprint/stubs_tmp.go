package footprint

import (
	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
)

func managers(p *program.Program, pass *analysis.Pass) []Manager {
	var out []Manager
	for _, fn := range p.All() {
		for call := range flow.Calls(fn) {
			if kubeapi.ManagerMakers.Called(call.Common()) {
				out = append(out, Manager{At: link.AtOf(pass, call.Pos()), In: origin.FuncName(flow.Decl(fn))})
			}
		}
	}
	return out
}
func (s *scan) filter(c *kubeapi.Controller, w *kubeapi.Watch) Filter { return Filter{} }
