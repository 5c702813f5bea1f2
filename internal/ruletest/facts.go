package ruletest

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/passes"
)

// roundTrips returns the errors of the facts of one package, as [RoundTrip] returns them.
func roundTrips(facts *passes.Exported) []error {
	var errs []error
	for _, f := range facts.Objects() {
		if err := RoundTrip(f.Fact); err != nil {
			errs = append(errs, fmt.Errorf("fact of %s: %w", f.Object.Name(), err))
		}
	}
	for _, f := range facts.Package() {
		if err := RoundTrip(f); err != nil {
			errs = append(errs, fmt.Errorf("fact of the package: %w", err))
		}
	}
	return errs
}

// RoundTrip encodes fact as drivers do, and decodes it. An error says that it does not come back as it was: it cannot
// be encoded, its bytes differ from one time to the next, or what other packages see of it is not what the package
// saw.
func RoundTrip(fact analysis.Fact) error {
	first, err := encode(fact)
	if err != nil {
		return err
	}
	back := reflect.New(reflect.TypeOf(fact).Elem()).Interface().(analysis.Fact)
	if err := gob.NewDecoder(bytes.NewReader(first)).Decode(back); err != nil {
		return fmt.Errorf("%T: %w", fact, err)
	}
	for _, f := range []analysis.Fact{fact, back} {
		again, err := encode(f)
		if err != nil {
			return err
		}
		if !bytes.Equal(again, first) {
			return fmt.Errorf("%T has other bytes each time: %v", fact, fact)
		}
	}
	if _, ok := fact.(fmt.Stringer); !ok {
		return nil // it would be told by its addresses
	}
	if was, is := fmt.Sprint(fact), fmt.Sprint(back); was != is {
		return fmt.Errorf("%T is %q, and once decoded %q", fact, was, is)
	}
	return nil
}

func encode(fact analysis.Fact) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(fact); err != nil {
		return nil, fmt.Errorf("%T: %w", fact, err)
	}
	return b.Bytes(), nil
}

// factName names the type of a fact.
func factName(fact analysis.Fact) string { return reflect.TypeOf(fact).Elem().String() }

// factText returns a fact in words, and all of it that drivers keep, for its String may leave things out.
func factText(fact analysis.Fact) string {
	all, err := json.Marshal(fact)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%v %s", fact, all)
}
