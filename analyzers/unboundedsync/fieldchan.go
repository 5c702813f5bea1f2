package unboundedsync

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A fieldChan is what the package does with the channels in one field of its own, which others cannot name.
type fieldChan struct {
	makes    int           // where a new channel is put into it
	made     *ssa.MakeChan // the one that is, where it is one
	sends    []*ssa.Send   // that wait for nothing else
	offers   []*ssa.Select // sends that may take another way
	receives []ssa.Instruction
	closes   []ssa.CallInstruction
	roomless bool // each new one is made without room
	shared   bool // whoever makes one does more with it than to put it there
	unknown  bool // channels that come from elsewhere are put there, too
	escapes  bool // others get hold of one
	taken    bool // others get hold of the field, and may put one there
}

// fieldChans are the channels in unexported fields of the package, by field.
func (c *checker) fieldChans() map[*types.Var]*fieldChan {
	if c.byField != nil {
		return c.byField
	}
	c.byField = map[*types.Var]*fieldChan{}
	for _, fn := range c.pkg.All() {
		for in := range flow.Instrs(fn) {
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
		c.byField[f] = &fieldChan{roomless: true}
	}
	return c.byField[f]
}

// inOrder are the fields as the source has them.
func inOrder(fields map[*types.Var]*fieldChan) []*types.Var {
	return slices.SortedFunc(maps.Keys(fields), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
}

// meets reports whether all who send and receive are in sight, and have to meet: each channel is made without room, for the field alone, and
// nobody closes it.
func (u *fieldChan) meets() bool {
	return len(u.sends) > 0 && len(u.receives) > 0 && len(u.closes) == 0 && !u.escapes && !u.shared && !u.unknown && u.makes > 0 && u.roomless
}

// place notes what is done at addr, where a channel of u is.
func (u *fieldChan) place(addr ssa.Value) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			u.value(r)
		case *ssa.Store:
			made, ok := r.Val.(*ssa.MakeChan)
			if !ok {
				u.unknown = true
				continue
			}
			if u.makes++; u.makes == 1 {
				u.made = made
			} else {
				u.made = nil
			}
			u.roomless = u.roomless && flow.IsZeroInt(made.Size)
			u.shared = u.shared || len(*made.Referrers()) > 1
		default:
			u.escapes, u.taken = true, true
		}
	}
}

// value notes what is done with v, a channel of u.
func (u *fieldChan) value(v ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			if r.Chan == v {
				u.sends = append(u.sends, r)
			} else {
				u.escapes = true
			}
		case *ssa.UnOp:
			u.receives = append(u.receives, r)
		case *ssa.Select:
			for _, s := range r.States {
				if s.Chan == v && s.Dir == types.RecvOnly {
					u.receives = append(u.receives, r)
				}
				if s.Chan == v && s.Dir == types.SendOnly {
					u.offers = append(u.offers, r)
				}
				u.escapes = u.escapes || s.Send == v
			}
		case ssa.CallInstruction:
			b, ok := r.Common().Value.(*ssa.Builtin)
			switch {
			case ok && b.Name() == "close":
				u.closes = append(u.closes, r)
			case !ok || b.Name() != "len" && b.Name() != "cap":
				u.escapes = true
			}
		default:
			u.escapes = true
		}
	}
}
