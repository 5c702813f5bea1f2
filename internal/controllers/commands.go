package controllers

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Commands are the functions of the package that cobra runs for a command, with the names of the fields of that which they are.
func Commands(pkg *program.Program) map[*ssa.Function]string {
	commands := map[*ssa.Function]string{}
	for _, fn := range pkg.All() {
		for st, fa := range flow.FieldStores(fn) {
			if !kubeapi.IsType(fa.X.Type(), "github.com/spf13/cobra", "Command") {
				continue
			}
			if run := pkg.Own(flow.FuncValue(st.Val)); run != nil {
				commands[run] = flow.Field(fa.X.Type(), fa.Field).Name()
			}
		}
	}
	return commands
}
