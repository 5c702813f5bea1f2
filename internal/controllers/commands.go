package controllers

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Commands are the functions of pkg that cobra runs for a command.
func Commands(pkg *program.Program) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{}
	for _, fn := range pkg.All() {
		for st, fa := range flow.FieldStores(fn) {
			if !kube.IsType(fa.X.Type(), "github.com/spf13/cobra", "Command") {
				continue
			}
			if run := pkg.Own(flow.FuncValue(st.Val)); run != nil {
				out[run] = true
			}
		}
	}
	return out
}
