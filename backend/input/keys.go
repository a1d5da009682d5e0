package input

import "strings"

// named are the keys with a name, by that name.
var named = map[string]Key{}

// typed are the keys that type a character, by it.
var typed = map[rune]Key{}

// alias maps other names that people and programs use, in lower case, to names in the table.
var alias = map[string]string{
	"esc": "Escape", "return": "Enter", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"arrow_up": "ArrowUp", "arrow_down": "ArrowDown", "arrow_left": "ArrowLeft", "arrow_right": "ArrowRight",
	"del": "Delete", "ins": "Insert", "pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown", "page_up": "PageUp", "page_down": "PageDown",
	"spacebar": "Space", "bksp": "Backspace", "back_space": "Backspace", "ctrl": "Control", "ctl": "Control", "cmd": "Meta", "command": "Meta",
	"win": "Meta", "windows": "Meta", "super": "Meta", "option": "Alt", "opt": "Alt", "controlleft": "Control", "shiftleft": "Shift",
	"altleft": "Alt", "metaleft": "Meta", "caps": "CapsLock", "menu": "ContextMenu", "plus": "+", "minus": "-", "prtsc": "PrintScreen",
}

// lower maps names in lower case to names in the table.
var lower = map[string]string{}

func name(key, code string, vk int, text string) {
	k := Key{Key: key, Code: code, VK: vk, Text: text}
	switch key {
	case "Shift", "Control", "Alt", "Meta":
		k.Location = 1
	}
	named[key] = k
	lower[strings.ToLower(key)] = key
}

func char(plain, shifted rune, code string, vk int) {
	typed[plain] = Key{Key: string(plain), Code: code, VK: vk, Text: string(plain)}
	if shifted != 0 {
		typed[shifted] = Key{Key: string(shifted), Code: code, VK: vk, Text: string(shifted), Shifted: true}
	}
	lower[strings.ToLower(code)] = string(plain)
}

func init() {
	for _, k := range []struct {
		key, code string
		vk        int
		text      string
	}{
		{"Enter", "Enter", 13, "\r"},
		{"Tab", "Tab", 9, "\t"},
		{"Escape", "Escape", 27, ""},
		{"Backspace", "Backspace", 8, ""},
		{"Delete", "Delete", 46, ""},
		{"Insert", "Insert", 45, ""},
		{"Home", "Home", 36, ""},
		{"End", "End", 35, ""},
		{"PageUp", "PageUp", 33, ""},
		{"PageDown", "PageDown", 34, ""},
		{"ArrowLeft", "ArrowLeft", 37, ""},
		{"ArrowUp", "ArrowUp", 38, ""},
		{"ArrowRight", "ArrowRight", 39, ""},
		{"ArrowDown", "ArrowDown", 40, ""},
		{"Shift", "ShiftLeft", 16, ""},
		{"Control", "ControlLeft", 17, ""},
		{"Alt", "AltLeft", 18, ""},
		{"Meta", "MetaLeft", 91, ""},
		{"CapsLock", "CapsLock", 20, ""},
		{"NumLock", "NumLock", 144, ""},
		{"ScrollLock", "ScrollLock", 145, ""},
		{"Pause", "Pause", 19, ""},
		{"ContextMenu", "ContextMenu", 93, ""},
		{"PrintScreen", "PrintScreen", 44, ""},
		{"AudioVolumeMute", "AudioVolumeMute", 173, ""},
		{"AudioVolumeDown", "AudioVolumeDown", 174, ""},
		{"AudioVolumeUp", "AudioVolumeUp", 175, ""},
		{"MediaPlayPause", "MediaPlayPause", 179, ""},
		{"BrowserBack", "BrowserBack", 166, ""},
		{"BrowserForward", "BrowserForward", 167, ""},
	} {
		name(k.key, k.code, k.vk, k.text)
	}
	for i := 1; i <= 24; i++ {
		f := "F" + itoa(i)
		name(f, f, 111+i, "")
	}
	named["Space"] = Key{Key: " ", Code: "Space", VK: 32, Text: " "}
	lower["space"] = "Space"
	typed[' '] = named["Space"]
	for c := 'a'; c <= 'z'; c++ {
		up := c - 'a' + 'A'
		char(c, up, "Key"+string(up), int(up))
	}
	for i, shifted := range []rune(")!@#$%^&*(") {
		char('0'+rune(i), shifted, "Digit"+itoa(i), 48+i)
	}
	for _, p := range []struct {
		plain, shifted rune
		code           string
		vk             int
	}{
		{'`', '~', "Backquote", 192},
		{'-', '_', "Minus", 189},
		{'=', '+', "Equal", 187},
		{'[', '{', "BracketLeft", 219},
		{']', '}', "BracketRight", 221},
		{'\\', '|', "Backslash", 220},
		{';', ':', "Semicolon", 186},
		{'\'', '"', "Quote", 222},
		{',', '<', "Comma", 188},
		{'.', '>', "Period", 190},
		{'/', '?', "Slash", 191},
	} {
		char(p.plain, p.shifted, p.code, p.vk)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string(rune('0'+n/10)) + string(rune('0'+n%10))
}

// Named gives the key with this name, and false when there is none. A single character is its own name.
func Named(s string) (Key, bool) {
	if k, ok := named[s]; ok {
		return k, true
	}
	if r := []rune(s); len(r) == 1 {
		k, ok := typed[r[0]]
		if !ok && r[0] > 127 {
			k, ok = Key{Key: s, Text: s}, true
		}
		return k, ok
	}
	l := strings.ToLower(s)
	if a, ok := alias[l]; ok {
		return Named(a)
	}
	if n, ok := lower[l]; ok {
		return Named(n)
	}
	return Key{}, false
}
