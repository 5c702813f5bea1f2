package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiles are the names of files for profiles, empty for none.
type profiles struct{ cpu, memory string }

func (p *profiles) add(flags *flag.FlagSet) {
	flags.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile of the run to `file`")
	flags.StringVar(&p.memory, "memprofile", "", "write a memory profile of the run to `file`")
}

// start starts to profile. Stop writes the profiles.
func (p *profiles) start() (stop func() error, err error) {
	var cpu io.Closer = io.NopCloser(nil)
	if p.cpu != "" {
		f, err := os.Create(p.cpu)
		if err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, err
		}
		cpu = f
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), p.writeMemory())
	}, nil
}

func (p *profiles) writeMemory() error {
	if p.memory == "" {
		return nil
	}
	f, err := os.Create(p.memory)
	if err != nil {
		return err
	}
	runtime.GC() // for current statistics
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
