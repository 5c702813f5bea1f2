// Each change of a Pipeline starts another consumer and overwrites the cancel function of the one before in the map, so that the old consumer copies records beside the new one until the process ends.
//
//adv:rule=startctx sub=pilesup claim=yes

// Package stream runs one consumer for each Pipeline.
package stream

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
)

// Record is what is copied.
type Record struct {
	Offset  int64
	Payload []byte
}

// Transport reads from sources and writes to sinks.
type Transport interface {
	Fetch(ctx context.Context, source string, after int64) ([]Record, error)
	Publish(ctx context.Context, sink string, records []Record) error
}

// Config of one consumer.
type Config struct {
	Source, Sink string
	Poll         time.Duration
}

// Supervisor owns the consumers.
type Supervisor struct {
	base      context.Context
	log       logr.Logger
	transport Transport

	mu      sync.Mutex
	cancels map[types.NamespacedName]context.CancelFunc
	offsets map[types.NamespacedName]int64
}

// NewSupervisor makes one whose consumers end with base.
func NewSupervisor(base context.Context, log logr.Logger, transport Transport) *Supervisor {
	return &Supervisor{
		base:      base,
		log:       log.WithName("supervisor"),
		transport: transport,
		cancels:   map[types.NamespacedName]context.CancelFunc{},
		offsets:   map[types.NamespacedName]int64{},
	}
}

// Apply brings the consumer of a Pipeline to the given configuration.
func (s *Supervisor) Apply(key types.NamespacedName, cfg Config) error {
	if cfg.Source == cfg.Sink {
		return fmt.Errorf("pipeline %s copies %q to itself", key, cfg.Source)
	}
	if cfg.Poll <= 0 {
		cfg.Poll = 10 * time.Second
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithCancel(s.base)
	s.cancels[key] = cancel
	s.log.Info("consumer configured", "pipeline", key, "source", cfg.Source, "sink", cfg.Sink)
	go s.consume(ctx, key, cfg)
	return nil
}

// Remove ends the consumer of a Pipeline.
func (s *Supervisor) Remove(key types.NamespacedName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.cancels[key]; ok {
		cancel()
		delete(s.cancels, key)
	}
	delete(s.offsets, key)
}

func (s *Supervisor) consume(ctx context.Context, key types.NamespacedName, cfg Config) {
	ticker := time.NewTicker(cfg.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		s.mu.Lock()
		after := s.offsets[key]
		s.mu.Unlock()
		records, err := s.transport.Fetch(ctx, cfg.Source, after)
		if err != nil {
			s.log.Error(err, "fetch failed", "pipeline", key)
			continue
		}
		if len(records) == 0 {
			continue
		}
		if err := s.transport.Publish(ctx, cfg.Sink, records); err != nil {
			s.log.Error(err, "publish failed", "pipeline", key)
			continue
		}
		s.mu.Lock()
		s.offsets[key] = records[len(records)-1].Offset
		s.mu.Unlock()
	}
}
