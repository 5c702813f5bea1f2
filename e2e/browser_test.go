//go:build e2e

package e2e

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// harness is a page that opens the report in frames, does in them what a reader does, and writes down what it sees.
//
//go:embed testdata/harness.html
var harness []byte

// cycle has two locks that are taken in both orders.
const cycle = `package cycle

import "sync"

type A struct {
	mu sync.Mutex
	b  *B
}

type B struct {
	mu sync.Mutex
	a  *A
}

func (a *A) Put() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.b.mu.Lock() // a line that is so long that it does not fit on the screen of a telephone, and that the code block has to scroll for
	defer a.b.mu.Unlock()
}

func (b *B) Put() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.a.mu.Lock()
	defer b.a.mu.Unlock()
}
`

// chromium is the browser; the test is skipped where there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no chromium, chromium-browser or google-chrome to look at the HTML report with")
	return ""
}

// A visit is what the harness has seen of the report.
type visit struct {
	Findings, Shown  int
	ByRule, ByWord   int
	ByBoth           int
	ByPackage        int
	ByConfidence     int
	AfterReset       int
	State            string
	Focused, Escaped bool
	Groups           int // that are shown with the rule chosen
	Overflow         int // pixels by which the page is wider than a narrow screen
	Scrolling        int // code blocks that scroll by themselves there
	Pictures         int
	Filters          bool // the filters are there
	Background       [3]int
	Toggled          [3]int
}

// browse has the browser open the harness, and gives what it has seen, and what the browser's console says.
func browse(t *testing.T, browser, url string, flags ...string) (visit, string) {
	t.Helper()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=1200,900", "--virtual-time-budget=20000",
		"--user-data-dir=" + t.TempDir(), "--dump-dom",
	}, flags...)
	cmd := exec.CommandContext(t.Context(), browser, append(args, url)...)
	cmd.WaitDelay = 10 * time.Second
	var out, logged bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &logged
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, logged.String())
	}
	doc, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data == "pre" {
			seen.WriteString(n.Data)
		}
	}
	var v visit
	if err := json.Unmarshal([]byte(seen.String()), &v); err != nil {
		t.Fatalf("%v: the harness says %q\n%s", err, seen.String(), logged.String())
	}
	return v, strings.Join(regexp.MustCompile(`(?m)^.*:CONSOLE.*$`).FindAllString(logged.String(), -1), "\n")
}

// TestReportInBrowser looks at the HTML report with a browser.
func TestReportInBrowser(t *testing.T) {
	browser := chromium(t)
	dir := filetest.Module(t, map[string]string{"store/store.go": bug, "loop/loop.go": busy, "cycle/cycle.go": cycle})
	cmd := exec.Command(ctrllint, "-format", "html", "./...")
	cmd.Dir = dir
	report, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("ctrllint: %v", err)
	}
	if keep := os.Getenv("CTRLLINT_REPORT"); keep != "" { // for somebody who wants to see it
		if err := os.WriteFile(filepath.Clean(keep), report, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	serve := func(body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(body)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/report", serve(report))
	mux.HandleFunc("/harness", serve(harness))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	defer server.Close()

	want := visit{
		Findings: 3, Shown: 3, ByRule: 2, ByWord: 1, ByBoth: 0, ByPackage: 1, ByConfidence: 2, AfterReset: 3, State: "3 shown",
		Focused: true, Escaped: true, Groups: 1, Pictures: 1, Filters: true,
	}
	for _, test := range []struct {
		name, flag    string
		dark, toggled bool
	}{{"light", "--blink-settings=preferredColorScheme=1", false, true}, {"dark", "--blink-settings=preferredColorScheme=0", true, false}} {
		t.Run(test.name, func(t *testing.T) {
			v, console := browse(t, browser, server.URL+"/harness", test.flag)
			if console != "" {
				t.Errorf("the console says\n%s", console)
			}
			if dark(v.Background) != test.dark || dark(v.Toggled) != test.toggled {
				t.Errorf("the background is %v, and %v when it is toggled", v.Background, v.Toggled)
			}
			if v.Overflow > 0 || v.Scrolling == 0 {
				t.Errorf("on a narrow screen the page is %d pixels too wide, and %d code blocks scroll", v.Overflow, v.Scrolling)
			}
			v.Background, v.Toggled, v.Overflow, v.Scrolling = [3]int{}, [3]int{}, 0, 0
			if v != want {
				t.Errorf("got  %+v\nwant %+v", v, want)
			}
		})
	}
	t.Run("without scripts", func(t *testing.T) {
		v, console := browse(t, browser, server.URL+"/harness?noscript")
		if v.Findings != 3 || v.Shown != 3 || v.Filters {
			t.Errorf("%+v, want all findings, and no filters", v)
		}
		// That scripts were refused is what a console says where it is heard.
		if !strings.Contains(console, "Blocked script execution") {
			t.Errorf("scripts have run, or the console is not heard: %q", console)
		}
	})
}

// dark reports whether a colour is.
func dark(rgb [3]int) bool { return rgb[0]+rgb[1]+rgb[2] < 3*128 }
