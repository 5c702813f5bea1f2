// Package api has kinds that need each other.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Spec says which object another one belongs to.
type Spec struct{ Owner string }

// Status says whether something belongs to an object.
type Status struct{ InUse bool }

// Fleet is one a fleet of ships.
type Fleet struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (f *Fleet) DeepCopyObject() runtime.Object {
	out := *f
	f.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Ship is one of a fleet.
type Ship struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (s *Ship) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Harbor is one where boats are.
type Harbor struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Harbor) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Boat is one in a harbor.
type Boat struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Boat) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Yard is one where hulls are built.
type Yard struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (y *Yard) DeepCopyObject() runtime.Object {
	out := *y
	y.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Hull is one built in a yard.
type Hull struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Hull) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Dock is one with cranes.
type Dock struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (d *Dock) DeepCopyObject() runtime.Object {
	out := *d
	d.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Crane is one at a dock.
type Crane struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Crane) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Quay is one with a gate.
type Quay struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (q *Quay) DeepCopyObject() runtime.Object {
	out := *q
	q.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Gate is one of a quay.
type Gate struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (g *Gate) DeepCopyObject() runtime.Object {
	out := *g
	g.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Port is one that counts its berths.
type Port struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (p *Port) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Berth is one in a port.
type Berth struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Berth) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Canal is one with locks.
type Canal struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Canal) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Barge is one on a canal.
type Barge struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Barge) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Pool is one with members.
type Pool struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (p *Pool) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Member is one of a pool.
type Member struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (m *Member) DeepCopyObject() runtime.Object {
	out := *m
	m.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Chest is one with keys.
type Chest struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Chest) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Key is one of a chest.
type Key struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (k *Key) DeepCopyObject() runtime.Object {
	out := *k
	k.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Team is one with players.
type Team struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (t *Team) DeepCopyObject() runtime.Object {
	out := *t
	t.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Player is one of a team.
type Player struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (p *Player) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// HullList is a list of them.
type HullList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Hull
}

// DeepCopyObject is a copy.
func (l *HullList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// CraneList is a list of them.
type CraneList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Crane
}

// DeepCopyObject is a copy.
func (l *CraneList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// MemberList is a list of them.
type MemberList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Member
}

// DeepCopyObject is a copy.
func (l *MemberList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// PlayerList is a list of them.
type PlayerList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Player
}

// DeepCopyObject is a copy.
func (l *PlayerList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Farm is one with cows.
type Farm struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (f *Farm) DeepCopyObject() runtime.Object {
	out := *f
	f.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Cow is one of a farm.
type Cow struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Cow) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Mine is one with carts.
type Mine struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (m *Mine) DeepCopyObject() runtime.Object {
	out := *m
	m.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Cart is one of a mine.
type Cart struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Cart) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// CartList is some of them.
type CartList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Cart
}

// DeepCopyObject is a copy.
func (l *CartList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Mill is one with sacks.
type Mill struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (m *Mill) DeepCopyObject() runtime.Object {
	out := *m
	m.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Sack is one of a mill.
type Sack struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (s *Sack) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// SackList is some of them.
type SackList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Sack
}

// DeepCopyObject is a copy.
func (l *SackList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Barn is one with horses.
type Barn struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Barn) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Horse is one of a barn.
type Horse struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Horse) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Shed is one with a goat.
type Shed struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (s *Shed) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Goat is one of a shed.
type Goat struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (g *Goat) DeepCopyObject() runtime.Object {
	out := *g
	g.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// School has some of the kind Pupil.
type School struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *School) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Pupil belongs to one of the kind School.
type Pupil struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Pupil) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Theatre has some of the kind Actor.
type Theatre struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Theatre) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Actor belongs to one of the kind Theatre.
type Actor struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Actor) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Garden has some of the kind Tree.
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Garden) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Tree belongs to one of the kind Garden.
type Tree struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Tree) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Museum has some of the kind Guide.
type Museum struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Museum) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Guide belongs to one of the kind Museum.
type Guide struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Guide) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Zoo has some of the kind Warden.
type Zoo struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Zoo) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Warden belongs to one of the kind Zoo.
type Warden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Warden) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Choir has some of the kind Singer.
type Choir struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Choir) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Singer belongs to one of the kind Choir.
type Singer struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Singer) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// GuideList is a list of guides.
type GuideList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Guide
}

// DeepCopyObject is a copy.
func (l *GuideList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Cinema has some of the kind Usher.
type Cinema struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Cinema) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Usher belongs to one of the kind Cinema.
type Usher struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Usher) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Bakery has some of the kind Baker.
type Bakery struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Bakery) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Baker belongs to one of the kind Bakery.
type Baker struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Baker) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Library has some of the kind Reader.
type Library struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Library) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Reader belongs to one of the kind Library.
type Reader struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Reader) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Stable has some of the kind Groom.
type Stable struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Stable) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Groom belongs to one of the kind Stable.
type Groom struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (x *Groom) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// ReaderList is a list of readers.
type ReaderList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Reader
}

// DeepCopyObject is a copy.
func (l *ReaderList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}
