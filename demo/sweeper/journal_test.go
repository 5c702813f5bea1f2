package sweeper

import (
	"bufio"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

func TestJournal(t *testing.T) {
	in, out := io.Pipe()
	j := NewJournal(out)
	go j.Start(t.Context())
	j.Swept(&v1.Backup{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "old"}})
	if line, err := bufio.NewReader(in).ReadString('\n'); err != nil || !strings.Contains(line, `"name":"old"`) {
		t.Errorf("the journal has %q, %v", line, err)
	}
}
