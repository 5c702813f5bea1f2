// Package render writes the configuration of the shipper.
package render

import (
	"fmt"
	"sort"
	"strings"

	"example.com/pages/bug/logship/v1alpha1"
)

// Config is the text of the configuration of a pipeline.
func Config(p *v1alpha1.LogPipeline) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[input]\npath = %q\n", p.Spec.Source)
	fmt.Fprintf(&b, "[output]\nurl = %q\n", p.Spec.Destination)
	size := p.Spec.BufferSize
	if size == 0 {
		size = 64
	}
	fmt.Fprintf(&b, "buffer_mb = %d\n", size)

	names := make([]string, 0, len(p.Spec.ExtraFields))
	for name := range p.Spec.ExtraFields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "field.%s = %q\n", name, p.Spec.ExtraFields[name])
	}
	return b.String()
}
