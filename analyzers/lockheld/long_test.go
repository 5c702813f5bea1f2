package lockheld_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var message = regexp.MustCompile(`(?:blocking|relock|order|leak)[\w-]*/(?:certain|possible) "((?:[^"\\]|\\.)*)"`)

// No message is longer than a reader takes in at once: the calls of a long chain and the steps of a long cycle are among the related places.
func TestLongMessages(t *testing.T) {
	cut := 0
	files, err := filepath.Glob("../../testdata/lockheld/*/*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range message.FindAllStringSubmatch(string(text), -1) {
			if len(m[1]) > 300 {
				t.Errorf("%s: %d bytes: %s", file, len(m[1]), m[1])
			}
			if regexp.MustCompile(`, \d+ more, `).MatchString(m[1]) {
				cut++
			}
		}
	}
	if cut == 0 {
		t.Error("no example has a chain that is cut short")
	}
}
