package use

import (
	"testing"

	v1 "example.com/operators/apimarkers/enum/v1"
)

func Test(t *testing.T) {
	if Handle(&v1.Garden{Spec: v1.GardenSpec{Policy: v1.OnlyAdd}}) != 1 || Handle(&v1.Garden{Spec: v1.GardenSpec{Policy: v1.Never}}) != 0 {
		t.Fail()
	}
}
