// Package pipes runs commands and reads what they write.
package pipes

import (
	"bufio"
	"context"
	"io"
	"log"
	"os/exec"
	"time"
)

// convert reads the errors to their end first.
func convert(args ...string) ([]byte, error) {
	cmd := exec.Command("qemu-img", args...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	failure, _ := io.ReadAll(stderr) // want neverstops "reads the standard error of the command to EOF before its standard output (line 28): if that pipe fills up, the command blocks and both deadlock; read one of them in a goroutine" @16 "the other pipe is created here"
	out, err := io.ReadAll(stdout)
	if err != nil {
		return nil, err
	}
	log.Print(string(failure))
	return out, cmd.Wait()
}

// convertBoth reads the errors in a goroutine.
func convertBoth(args ...string) ([]byte, error) {
	cmd := exec.Command("qemu-img", args...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		failure, _ := io.ReadAll(stderr)
		log.Print(string(failure))
	}()
	out, err := io.ReadAll(stdout) // ok
	if err != nil {
		return nil, err
	}
	return out, cmd.Wait()
}

// upgrade scans line by line.
func upgrade() error {
	cmd := exec.Command("upgrade")
	stderr, _ := cmd.StderrPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		return err
	}
	scanner := bufio.NewScanner(stdout)
	for scanner.Scan() { // want neverstops "reads the standard output of the command to EOF before its standard error (line 74): if that pipe fills up, the command blocks and both deadlock; read one of them in a goroutine" @64 "the other pipe is created here"
		log.Print(scanner.Text())
	}
	scanner = bufio.NewScanner(stderr)
	for scanner.Scan() {
		log.Print(scanner.Text())
	}
	return cmd.Wait()
}

// build reads one behind the other.
func build(name string) error {
	cmd := exec.Command(name)
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	out := io.MultiReader(stdout, stderr) // want neverstops "reads the standard output of the command to EOF before its standard error (line 85): if that pipe fills up, the command blocks and both deadlock; read one of them in a goroutine" @84 "the other pipe is created here"
	if err := cmd.Start(); err != nil {
		return err
	}
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		log.Print(scanner.Text())
	}
	return cmd.Wait()
}

// bounded is ended by a deadline.
func bounded(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sync")
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out, err := io.ReadAll(stdout) // ok: it ends in time
	if err != nil {
		return nil, err
	}
	_, _ = io.ReadAll(stderr)
	return out, cmd.Wait()
}

// two has one of each.
func two() ([]byte, error) {
	one, other := exec.Command("one"), exec.Command("other")
	stdout, _ := one.StdoutPipe()
	stderr, _ := other.StderrPipe()
	if err := one.Start(); err != nil {
		return nil, err
	}
	if err := other.Start(); err != nil {
		return nil, err
	}
	out, err := io.ReadAll(stdout) // ok: they are of two commands
	if err != nil {
		return nil, err
	}
	_, _ = io.ReadAll(stderr)
	return out, other.Wait()
}

// handed gives one of the two to somebody.
func handed(read func(io.Reader)) ([]byte, error) {
	cmd := exec.Command("show")
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	read(stderr)
	out, err := io.ReadAll(stdout) // ok: who has the other one may read it in a goroutine
	if err != nil {
		return nil, err
	}
	_, _ = io.ReadAll(stderr)
	return out, cmd.Wait()
}

var _ = []any{convert, convertBoth, upgrade, build, bounded, two, handed}
