package unboundedsync

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A fieldChan is what the package does with the channels in one field of its own, which others cannot name.
type fieldChan struct {
	chanOps
	makes   int  // where a new channel is put into it
	unknown bool // channels that come from elsewhere are put there, too
	escapes bool // others get hold of one
	taken   bool // others get hold of the field, and may put one there
}

// fieldChans are the channels in unexported fields of the package, by field.
func (c *checker) fieldChans() map[*types.Var]*fieldChan {
	if c.byField != nil {
		return c.byField
	}
	c.byField = map[*types.Var]*fieldChan{}
	for in := range flow.Instrs(c.pkg.All()...) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			if u := c.fieldChan(flow.Field(in.X.Type(), in.Field)); u != nil {
				u.place(in)
			}
		case *ssa.Field:
			if u := c.fieldChan(flow.Field(in.X.Type(), in.Field)); u != nil {
				u.value(in)
			}
		}
	}
	return c.byField
}

// fieldChan is what is known of the channels in f so far, nil where f is not a channel's field that only the package can name.
func (c *checker) fieldChan(f *types.Var) *fieldChan {
	if f == nil || f.Exported() || f.Pkg() != c.pass.Pkg {
		return nil
	}
	f = f.Origin() // that of all instances of a generic type
	if _, ok := f.Type().Underlying().(*types.Chan); !ok {
		return nil
	}
	if c.byField[f] == nil {
		c.byField[f] = &fieldChan{}
	}
	return c.byField[f]
}

// inOrder are the fields as the source has them.
func inOrder(fields map[*types.Var]*fieldChan) []*types.Var {
	return slices.SortedFunc(maps.Keys(fields), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
}

// place notes what is done at addr, where a channel of u is.
func (u *fieldChan) place(addr ssa.Value) {
	for st := range flow.StoresTo(addr) {
		if _, made := st.Val.(*ssa.MakeChan); made {
			u.makes++
		} else {
			u.unknown = true
		}
	}
	u.value(addr)
}

// value notes what is done with v, a channel of u or the address of one.
func (u *fieldChan) value(v ssa.Value) {
	for in, v := range values.Uses(v) {
		if _, place := v.(*ssa.FieldAddr); place {
			u.taken, u.escapes = true, true
		} else if !u.note(in, v) {
			u.escapes = true
		}
	}
}
