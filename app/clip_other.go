//go:build desktop && !linux

package app

import (
	"context"
	"errors"

	desktop "github.com/wailsapp/wails/v2/pkg/runtime"
)

// setClip puts the text on the clipboard: more is not written here.
func setClip(ctx context.Context, text, _ string, _ []byte) error {
	if text == "" {
		return errors.New("only text is put on the clipboard here")
	}
	return desktop.ClipboardSetText(ctx, text)
}

func getClip(ctx context.Context) (text, html string, image []byte, err error) {
	text, err = desktop.ClipboardGetText(ctx)
	return text, "", nil, err
}

// The middle button pastes nothing here.
func setPrimary(string) error     { return nil }
func getPrimary() (string, error) { return "", nil }
