package cli

import (
	"bufio"
	"bytes"
	"errors"
)

// errLong says that a line passed its bound.
var errLong = errors.New("line too long")

// nextLine reads one line without its end; most bounds it, 0 does not. A longer
// one is read to its end and given as errLong.
func nextLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for size := 0; ; {
		part, err := r.ReadSlice('\n')
		size += len(part)
		if most == 0 || size <= most {
			line = append(line, part...)
		} else {
			line = nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if most != 0 && size > most {
			return nil, errors.Join(errLong, err)
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
