package measure

import (
	"os/exec"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	c, out, err := Run(exec.Command("sh", "-c", "echo found; echo failed >&2; exit 2"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Exit != 2 || string(out.Stdout) != "found\n" || string(out.Stderr) != "failed\n" || c.Peak == 0 || c.Wall == 0 {
		t.Errorf("got %+v, %q, %q", c, out.Stdout, out.Stderr)
	}
	if _, _, err := Run(exec.Command("sh", "-c", "kill $$")); err == nil {
		t.Error("a command that was killed is no error")
	}
}

// The CPU time of a child counts when the command waited for it.
func TestRunChildren(t *testing.T) {
	c, _, err := Run(exec.Command("sh", "-c", "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true"))
	if err != nil {
		t.Fatal(err)
	}
	if c.CPU < 20*time.Millisecond {
		t.Errorf("got %v of CPU", c.CPU)
	}
}

func TestMedian(t *testing.T) {
	costs := []Cost{{CPU: 3, Peak: 7}, {CPU: 1, Peak: 9}, {CPU: 2, Peak: 5}}
	if got, want := Median(costs), (Cost{CPU: 2, Peak: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if costs[0].CPU != 3 {
		t.Error("the runs have been sorted in place, which tears pairs apart")
	}
}
