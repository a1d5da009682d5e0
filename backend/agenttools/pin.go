package agenttools

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"baton/backend/fault"
	"baton/backend/upload"
)

// mostFiles is how many files a folder may hold that is given to a page.
const mostFiles = 2000

// pin opens what was found, and holds it for a page. From then on it does not
// matter what its path means: an agent's programs may write in the folders.
func (f found) pin(ctx context.Context, held *upload.Held, roots []string) error {
	if f.folder {
		return f.pinFolder(ctx, held, roots)
	}
	file, err := f.open(roots)
	if err != nil {
		return err
	}
	defer file.Close()
	return held.Add(ctx, filepath.Base(f.path), file)
}

// pinFolder holds all that a folder inside the agent's folders has: plain files,
// and not too many of them.
func (f found) pinFolder(ctx context.Context, held *upload.Held, roots []string) error {
	parent, name, err := f.beside(roots)
	var folder *os.Root
	if err == nil {
		folder, err = parent.OpenRoot(name)
		_ = parent.Close()
	}
	if err != nil {
		return f.unlike(err)
	}
	defer folder.Close()
	base := filepath.Base(f.path)
	if err := held.Folder(base); err != nil {
		return err
	}
	n := 0
	return fs.WalkDir(folder.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fault.New(fault.FileNotAllowed, "%q cannot be read in the folder %q", name, f.name).Because(err).Then("give a folder that can be read")
		case e.IsDir():
			return nil
		}
		file, err := openPlain(folder, filepath.FromSlash(name))
		if err != nil || !e.Type().IsRegular() {
			if err == nil {
				_ = file.Close()
			}
			return fault.New(fault.FileNotAllowed, "%q in the folder %q is no plain file that can be read", name, f.name).Because(err).Then("give a folder of plain files")
		}
		defer file.Close()
		if n++; n > mostFiles {
			return fault.New(fault.FileNotAllowed, "the folder %q holds more than %d files", f.name, mostFiles).Then("give a smaller folder")
		}
		return held.Add(ctx, path.Join(base, name), file)
	})
}

// open opens a plain file as it was permitted: inside the folders wherever links
// in them lead, outside them the very one that the person was shown.
func (f found) open(roots []string) (*os.File, error) {
	dir, name, err := f.beside(roots)
	if err != nil {
		return nil, f.unlike(err)
	}
	defer dir.Close()
	file, err := openPlain(dir, name)
	if err == nil && f.outside {
		err = named(dir, name, file.Stat)
	}
	if err != nil {
		if file != nil {
			_ = file.Close()
		}
		return nil, f.unlike(err)
	}
	return file, nil
}

func (f found) unlike(err error) error {
	return fault.New(fault.FileNotAllowed, "%q is another file now, or cannot be read", f.name).Because(err).Then("try again")
}

// beside opens a folder that the agent may read in, and gives the name there of
// what was found.
func (f found) beside(roots []string) (dir *os.Root, name string, err error) {
	for _, root := range roots {
		if rel, err := filepath.Rel(root, f.path); err == nil && filepath.IsLocal(rel) {
			dir, err := os.OpenRoot(root)
			return dir, rel, err
		}
	}
	dir, err = openExact(filepath.Dir(f.path))
	return dir, filepath.Base(f.path), err
}

var errOther = errors.New("it is another one, or no plain file")

// openPlain opens a file that stays below dir. A pipe in its place never waits.
func openPlain(dir *os.Root, name string) (*os.File, error) {
	file, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if st, err := file.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.Join(errOther, err, file.Close())
	}
	return file, nil
}

// openExact opens the folder of an absolute path, one name after the other, so
// that no link put there meanwhile leads elsewhere.
func openExact(path string) (*os.Root, error) {
	top := filepath.VolumeName(path) + string(filepath.Separator)
	dir, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(path, top), string(filepath.Separator)) {
		if name == "" {
			continue
		}
		next, err := dir.OpenRoot(name)
		if err == nil {
			err = named(dir, name, func() (fs.FileInfo, error) { return next.Stat(".") })
		}
		_ = dir.Close()
		if err != nil {
			if next != nil {
				_ = next.Close()
			}
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// named says whether what was opened by a name is what has that name, and not
// what a link of that name leads to.
func named(dir *os.Root, name string, opened func() (fs.FileInfo, error)) error {
	got, err := opened()
	if err != nil {
		return err
	}
	now, err := dir.Lstat(name)
	if err == nil && !os.SameFile(now, got) {
		err = errOther
	}
	return err
}
