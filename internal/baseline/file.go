package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
)

// version is the one of the file's form. A program that knows another one must not touch the file.
const version = 2

// ErrOld says that the file is of a version whose entries are no longer known.
var ErrOld = errors.New("a baseline of version 1, whose entries are known by the words of messages: make it anew with -write-baseline=all")

// header is the first line of the file.
type header struct {
	Tool    string   `json:"tool"`
	Kind    string   `json:"kind"`
	Version int      `json:"version"`
	Options []string `json:"options"`
}

// line is any other one. The count is left out where it is 1.
type line struct {
	Key
	Count int `json:"count,omitempty"`
}

// Read reads the file that Write made. An error about what is in it names the line.
func Read(path string) (*Baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return b, nil
}

// Write puts the baseline into the file named path, at once or not at all.
func (b *Baseline) Write(path string) error {
	data, err := b.encode()
	if err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}

func (b *Baseline) encode() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // people read it in reviews
	h := header{Tool: "ctrllint", Kind: "baseline", Version: version, Options: b.Options}
	if h.Options == nil {
		h.Options = []string{}
	}
	if err := enc.Encode(h); err != nil {
		return nil, err
	}
	for _, e := range b.entries() {
		l := line{Key: e.Key}
		if e.Count > 1 {
			l.Count = e.Count
		}
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func parse(data []byte) (*Baseline, error) {
	b := &Baseline{counts: make(map[Key]int)}
	seen := make(map[Key]int)
	n, headed := 0, false
	for text := range strings.Lines(string(data)) {
		n++
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		var err error
		switch {
		case isConflict(text):
			err = errors.New("a merge conflict that is not resolved")
		case !headed:
			headed = true
			b.Options, err = parseHeader(text)
		default:
			var l line
			if l, err = parseLine(text); err == nil && seen[l.Key] > 0 {
				err = fmt.Errorf("the same entry as in line %d: put them together, with a count", seen[l.Key])
			}
			seen[l.Key] = n
			b.counts[l.Key] = max(l.Count, 1)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
	}
	if !headed {
		return nil, errors.New("1: the file is empty, and no baseline")
	}
	return b, nil
}

// isConflict reports whether git left text behind where it could not merge.
func isConflict(text string) bool {
	return strings.HasPrefix(text, "<<<<<<<") || strings.HasPrefix(text, "=======") || strings.HasPrefix(text, ">>>>>>>")
}

func parseHeader(text string) ([]string, error) {
	var h header
	if err := json.Unmarshal([]byte(text), &h); err != nil || h.Tool != "ctrllint" || h.Kind != "baseline" {
		return nil, errors.New(`not a baseline: the first line is to be {"tool":"ctrllint","kind":"baseline",…}`)
	}
	if h.Version == 1 {
		return nil, ErrOld
	}
	if h.Version != version {
		return nil, fmt.Errorf("a baseline of version %d, and this ctrllint knows version %d", h.Version, version)
	}
	return h.Options, nil
}

func parseLine(text string) (line, error) {
	var l line
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return line{}, fmt.Errorf("not an entry: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return line{}, errors.New("not an entry: there is more than one object in the line")
	}
	switch {
	case l.Package == "":
		return line{}, errors.New("an entry without a package")
	case l.Category == "":
		return line{}, errors.New("an entry without a category")
	case l.Operation == "":
		return line{}, errors.New("an entry without an operation")
	case l.Count < 0:
		return line{}, fmt.Errorf("an entry with the count %d", l.Count)
	}
	return l, nil
}
