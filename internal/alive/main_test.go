package main

import (
	"bytes"
	"context"
	"regexp"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name, script   string
		code           int
		stdout, stderr string
	}{
		{"quick", "echo out; echo err >&2; exit 3", 3, `^out\n$`, `^err\n$`},
		{"silent", "sleep 1; echo out", 0, `^out\n$`, `^(… sh -c sleep 1; echo out: \d s\n)+$`},
		{"busy", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.05; done", 0, `10\n$`, `^$`},
		{"missing", "", 1, `^$`, `^alive: .*nosuchcommand`},
	} {
		t.Run(test.name, func(t *testing.T) {
			command := []string{"sh", "-c", test.script}
			if test.script == "" {
				command = []string{"nosuchcommand"}
			}
			var stdout, stderr bytes.Buffer
			code := run(context.Background(), command, 400*time.Millisecond, &stdout, &stderr)
			if code != test.code || !regexp.MustCompile(test.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(test.stderr).Match(stderr.Bytes()) {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, &stderr)
			}
		})
	}
}

// A run that is stopped stops the command.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	begin := time.Now()
	if code := run(ctx, []string{"sh", "-c", "sleep 30; true"}, time.Second, new(bytes.Buffer), new(bytes.Buffer)); code == 0 || time.Since(begin) > 10*time.Second {
		t.Errorf("exit code %d after %v", code, time.Since(begin))
	}
}
