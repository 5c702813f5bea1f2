package sweeper

import (
	"context"
	"encoding/json"
	"io"
	"time"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
)

// Journal writes a line for each deleted backup.
type Journal struct {
	Out     io.Writer
	entries chan entry
}

type entry struct {
	At        time.Time `json:"at"`
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
}

// NewJournal makes a journal that remembers some entries until it is started.
func NewJournal(out io.Writer) *Journal { return &Journal{Out: out, entries: make(chan entry, 100)} }

// Swept tells of a backup that is deleted.
func (j *Journal) Swept(backup *v1.Backup) {
	j.entries <- entry{At: time.Now(), Namespace: backup.Namespace, Name: backup.Name}
}

// Start makes the journal a Runnable of the manager.
func (j *Journal) Start(context.Context) error {
	out := json.NewEncoder(j.Out)
	for e := range j.entries {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}
