// Package use handles the constants.
package use

import v1 "example.com/operators/apimarkers/enum/v1"

// Handle compares values of objects with constants.
func Handle(g *v1.Garden) int {
	switch policy := g.Spec.Policy; policy {
	case v1.Patch, (v1.OnlyAdd):
		return 1
	case v1.Old, v1.Unset:
		return 2
	}
	if g.Spec.Soil == v1.Water || g.Spec.Tool == v1.Tongue || *g.Spec.Below != v1.Sand {
		return 3
	}
	for corner := range g.Spec.Walls {
		if corner == v1.East {
			return 4
		}
	}
	if phaseOf(g) == v1.Unknown {
		return 5
	}
	return 0
}

func phaseOf(g *v1.Garden) v1.Phase {
	if g.Status.Phase == v1.Ripe {
		return v1.Unknown
	}
	return g.Status.Phase
}

// Write writes constants into objects.
func Write(g *v1.Garden) {
	g.Status.Phase = v1.Rotten
	g.Status = v1.GardenStatus{Phase: v1.Withered}
}
