package preview

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// pinned is a file as it was when it was granted.
type pinned struct {
	info   fs.FileInfo
	sum    [sha256.Size]byte // of its content, when hashed
	hashed bool
}

// errChanged says that a file is not the one that was granted.
var errChanged = errors.New("changed since it was granted")

// hashMost bounds the files whose content is pinned too, in bytes. A larger one
// is known by its identity, size and time.
const hashMost = 4 << 20

// add pins a file below the root.
func (g *Grant) add(name string, hash bool) error {
	if g.files[name] != nil {
		return nil
	}
	f, info, err := g.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	p := &pinned{info: info}
	if hash || info.Size() <= hashMost/4 {
		if info.Size() <= hashMost {
			content, err := content(f, info)
			if err != nil {
				return err
			}
			p.sum, p.hashed = sha256.Sum256(content), true
		}
	}
	g.files[name] = p
	return nil
}

// open opens a plain file below the root. A name that leads out of the root,
// through a link too, is refused, and a pipe in a file's place never waits.
func (g *Grant) open(name string) (*os.File, fs.FileInfo, error) {
	f, err := g.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// read opens a granted file as it was pinned, or says errChanged. A small one
// comes with its content.
func (g *Grant) read(name string) (f *os.File, info fs.FileInfo, whole []byte, err error) {
	p := g.files[name]
	if f, info, err = g.open(name); err != nil {
		// It is gone, no plain file any more, or leads elsewhere.
		return nil, nil, nil, errors.Join(errChanged, err)
	}
	if !os.SameFile(p.info, info) || p.info.Size() != info.Size() || !p.info.ModTime().Equal(info.ModTime()) {
		return nil, nil, nil, errors.Join(errChanged, f.Close())
	}
	if info.Size() <= hashMost {
		whole, err = content(f, info)
		if err == nil && p.hashed && sha256.Sum256(whole) != p.sum {
			err = errChanged
		}
		if err != nil {
			return nil, nil, nil, errors.Join(err, f.Close())
		}
	}
	return f, info, whole, nil
}

// content reads a file of a known size.
func content(f *os.File, info fs.FileInfo) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(info.Size()) + 1)
	n, err := io.Copy(&b, io.LimitReader(f, info.Size()+1))
	if err == nil && n != info.Size() {
		err = errChanged
	}
	return b.Bytes(), err
}
