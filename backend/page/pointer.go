package page

import (
	"context"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/input"
)

// Buttons of a mouse, by the names that agents use.
var buttons = map[string]pointer.MouseButton{
	"": pointer.MouseButtonLeft, "left": pointer.MouseButtonLeft, "right": pointer.MouseButtonRight, "middle": pointer.MouseButtonMiddle,
}

var buttonBit = map[pointer.MouseButton]int64{pointer.MouseButtonLeft: 1, pointer.MouseButtonRight: 2, pointer.MouseButtonMiddle: 4}

func button(name string) (pointer.MouseButton, error) {
	b, ok := buttons[name]
	if !ok {
		return "", fault.New(fault.BadArguments, "there is no button %q", name).Then("use left, right or middle")
	}
	return b, nil
}

func moveTo(at input.Point, mods input.Modifiers, held pointer.MouseButton) pointer.DispatchMouseEventParams {
	e := pointer.DispatchMouseEventParams{Type: pointer.DispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y, Modifiers: int64(mods)}
	if held != "" {
		e.Button, e.Buttons = held, buttonBit[held]
	}
	return e
}

func press(at input.Point, b pointer.MouseButton, count int, mods input.Modifiers) pointer.DispatchMouseEventParams {
	return pointer.DispatchMouseEventParams{
		Type: pointer.DispatchMouseEventTypeMousePressed, X: at.X, Y: at.Y, Button: b, Buttons: buttonBit[b], ClickCount: int64(count), Modifiers: int64(mods),
	}
}

func release(at input.Point, b pointer.MouseButton, count int, mods input.Modifiers) pointer.DispatchMouseEventParams {
	return pointer.DispatchMouseEventParams{
		Type: pointer.DispatchMouseEventTypeMouseReleased, X: at.X, Y: at.Y, Button: b, ClickCount: int64(count), Modifiers: int64(mods),
	}
}

// moved tells the live view where the agent's pointer is.
func (p *Page) moved(ctx context.Context, at input.Point, state, label string) {
	point(ctx, at.X, at.Y, state, label)
}
