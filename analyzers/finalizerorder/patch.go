package finalizerorder

import (
	"go/constant"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// The patch types of k8s.io/apimachinery/pkg/types.
const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
)

// rawPatch takes apart a client.RawPatch or client.ConstantPatch, also one that a package variable holds for good.
// ok is false for patches that are computed from objects.
func rawPatch(v ssa.Value) (typ, data string, ok bool) {
	v = flow.Resolve(v)
	if load, isLoad := v.(*ssa.UnOp); isLoad {
		if g, isGlobal := load.X.(*ssa.Global); isGlobal {
			v = flow.Resolve(flow.Initial(g))
		}
	}
	call, isCall := v.(*ssa.Call)
	if !isCall || len(call.Call.Args) != 2 {
		return "", "", false
	}
	fn := flow.Callee(&call.Call)
	if !kubeapi.RawPatches.Has(fn) {
		return "", "", false
	}
	return patchType(call.Call.Args[0]), text(call.Call.Args[1]), true
}

func patchType(v ssa.Value) string {
	if c, ok := flow.Resolve(v).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	return ""
}

// text gathers the constant text that v is made of: a constant, a conversion, a concatenation, the format of a
// Sprintf, a package variable. Parts that are not known are left out.
func text(v ssa.Value) string {
	if v == nil {
		return ""
	}
	switch v := flow.Resolve(v).(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value)
		}
	case *ssa.Convert:
		return text(v.X)
	case *ssa.BinOp:
		return text(v.X) + text(v.Y)
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok {
			return text(flow.Initial(g))
		}
	case *ssa.Call:
		fn := flow.Callee(&v.Call)
		if (kubeapi.Symbol{Pkg: "fmt", Name: "Sprintf"}).Is(fn) || (kubeapi.Symbol{Pkg: "fmt", Name: "Appendf"}).Is(fn) {
			for _, a := range v.Call.Args {
				if s := text(a); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

var (
	mergeClear = regexp.MustCompile(`"finalizers"\s*:\s*(null|\[\s*\])`)
	mergeNull  = regexp.MustCompile(`"finalizers"\s*:\s*null`)
	operation  = regexp.MustCompile(`\{[^{}]*"path"\s*:\s*"/metadata/finalizers"[^{}]*\}`)
	removesOp  = regexp.MustCompile(`"op"\s*:\s*"remove"`)
	emptiesOp  = regexp.MustCompile(`"value"\s*:\s*(null|\[\s*\])`)
)

// clearsFinalizers reports whether a patch of type typ with the constant text data takes all finalizers away.
func clearsFinalizers(typ, data string) bool {
	if typ != jsonPatch && !strings.Contains(data, `"metadata"`) {
		return false
	}
	switch typ {
	case mergePatch:
		return mergeClear.MatchString(data)
	case strategicPatch:
		// Finalizers are merged as a set: an empty list changes nothing.
		return mergeNull.MatchString(data)
	case jsonPatch:
		op := operation.FindString(data)
		return op != "" && (removesOp.MatchString(op) || emptiesOp.MatchString(op))
	}
	return false
}

var (
	mergeSets = regexp.MustCompile(`"finalizers"\s*:\s*\[\s*[^\]\s]`)
	addsOne   = regexp.MustCompile(`"op"\s*:\s*"add"`)
	oneOnly   = regexp.MustCompile(`\{[^{}]*"path"\s*:\s*"/metadata/finalizers/[^"]+"[^{}]*\}`)
)

// patched is what a patch of type typ with the constant text data does to the finalizers; false where it leaves them
// alone.
func patched(typ, data string) (kind, bool) {
	if clearsFinalizers(typ, data) {
		return strips, true
	}
	switch typ {
	case mergePatch, strategicPatch:
		if strings.Contains(data, `"metadata"`) && mergeSets.MatchString(data) {
			return addsNow, true
		}
	case jsonPatch:
		if op := operation.FindString(data); op != "" && addsOne.MatchString(op) {
			return addsNow, true
		}
		if op := oneOnly.FindString(data); op != "" {
			if addsOne.MatchString(op) {
				return addsNow, true
			}
			if removesOp.MatchString(op) {
				return removesNow, true
			}
		}
	}
	return 0, false
}

// constantPath joins the constant strings of a variadic argument with dots.
func constantPath(v ssa.Value) string {
	var parts []string
	for _, e := range flow.Elements(v) { // in source order
		parts = append(parts, text(e))
	}
	return strings.Join(parts, ".")
}
