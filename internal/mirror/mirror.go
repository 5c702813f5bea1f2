// Package mirror takes trees out of git directories, so that old commits of other projects can be analysed.
package mirror

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Checkout writes the files of a commit of repo, which is owner/name, to the folder dir. mirrors is a folder that has
// the git directory of repo as owner+name/repo. Submodules are left out, links out of the tree, and files that the
// mirror lacks: it may have no large ones. Lacking are the names of those, with slashes. The error is about a mirror
// or a commit that is not there.
func Checkout(ctx context.Context, mirrors, repo, commit, dir string) (lacking []string, err error) {
	gitDir := filepath.Join(mirrors, strings.ReplaceAll(repo, "/", "+"), "repo")
	if _, err := os.Stat(gitDir); err != nil {
		return nil, fmt.Errorf("there is no mirror of %s: %w", repo, err)
	}
	list := exec.CommandContext(ctx, "git", "--git-dir", gitDir, "ls-tree", "-r", "-z", commit)
	var said bytes.Buffer
	list.Stderr = &said
	tree, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-tree of %s at %s: %w: %s", repo, commit, err, bytes.TrimSpace(said.Bytes()))
	}
	var blobs bytes.Buffer
	var files []file
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(tree), "\x00"), "\x00") {
		meta, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(meta) // mode, type, object
		if len(fields) != 3 || fields[1] != "blob" {
			continue
		}
		files = append(files, file{name, fields[0] == "120000"})
		blobs.WriteString(fields[2] + "\n")
	}
	cat := exec.CommandContext(ctx, "git", "--git-dir", gitDir, "cat-file", "--batch")
	cat.Stdin = &blobs
	out, err := cat.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cat.Start(); err != nil {
		return nil, err
	}
	lacking, err = unbatch(bufio.NewReader(out), files, dir)
	if err != nil {
		_ = cat.Process.Kill()
		_ = cat.Wait()
		return nil, err
	}
	return lacking, cat.Wait()
}

// A file is one of a tree, with slashes in its name.
type file struct {
	name string
	link bool
}

// unbatch writes to dir what git cat-file prints for files, and returns the names of those that it has not.
func unbatch(in *bufio.Reader, files []file, dir string) (lacking []string, err error) {
	links := make(map[string]string)
	for _, f := range files {
		head, err := in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("git cat-file: %w", err)
		}
		fields := strings.Fields(head) // object, type, size
		if len(fields) == 2 && fields[1] == "missing" {
			lacking = append(lacking, f.name)
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("git cat-file: %q", head)
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git cat-file: %w", err)
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, fmt.Errorf("git cat-file: %w", err)
		}
		if _, err := in.Discard(1); err != nil { // the end of the line
			return nil, fmt.Errorf("git cat-file: %w", err)
		}
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		switch {
		case !f.link:
			err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644))
		case !path.IsAbs(string(data)) && filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(f.name), string(data)))):
			links[name] = filepath.FromSlash(string(data))
		}
		if err != nil {
			return nil, err
		}
	}
	for name, to := range links { // last, so that nothing is written through one
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(to, name)); err != nil {
			return nil, err
		}
	}
	return lacking, nil
}
