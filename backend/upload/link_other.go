//go:build !linux

package upload

import (
	"errors"
	"os"
)

func link(*os.File, string) error { return errors.ErrUnsupported }
