package agenttools

import (
	"baton/backend/tool"
)

// Tools is the catalogue, in the order that agents see it.
func Tools() []tool.Tool[*Thread] {
	return []tool.Tool[*Thread]{
		define("browser_tabs", "List tabs", browserTabs).Reads().
			Shown(`{}`, `… tab…
t1 · Checkout · https://shop.example/ · ready · current…`),
		define("browser_open", "Open a new tab; returns its snapshot", browserOpen).
			Shown(`{"url":"https://shop.example/"}`, `Opened t1: https://shop.example/
tab t1 · Checkout · https://shop.example/
- heading "Checkout" level=1
- textbox "Full name" [e1]
…
- button "Pay" [e6]
…`),
		define("browser_navigate", "Load url in a tab, or go back, forward, reload, stop; returns its snapshot", browserNavigate).
			Shown(`{"action":"reload"}`, `Loaded https://shop.example/
tab t1 · Checkout · https://shop.example/
- heading "Checkout" level=1
- textbox "Full name" [e11]
…`),
		define("browser_close", "Close a tab", browserClose).
			Shown(`{"tab":"t1"}`, `Closed t1; current tab is …`),
		define("browser_snapshot", "Outline of the page with refs; query finds, target expands", browserSnapshot).Reads().
			Shown(`{"query":"pay"}`, `1 lines match "pay"
tab t1 · Checkout · https://shop.example/
- button "Pay" [e6]`),
		define("browser_read", "Main text as Markdown", browserRead).Reads().
			Shown(`{}`, `tab t1 · Checkout · https://shop.example/
# Checkout
…`),
		define("browser_screenshot", "Picture of the viewport, an element or the full page", browserScreenshot).Reads().
			Shown(`{}`, `Picture of the viewport, 1280 by 720 pixels`),
		define("browser_click", "Click", browserClick).
			Shown(`{"target":{"role":"button","name":"Pay"}}`, `Clicked button "Pay"
Changed:
- status "Thank you" new`),
		define("browser_hover", "Move the pointer over", browserHover).
			Shown(`{"target":{"text":"Help"}}`, `The pointer is over button "Help"
…`),
		define("browser_drag", "Drag from one to another", browserDrag).
			Shown(`{"from":{"text":"Book"},"to":{"css":"#basket"}}`, `Dragged listitem "Book" to list "Basket"
Changed:
- status "Book added" new`),
		define("browser_scroll", "Scroll the page or the scroller of target", browserScroll).
			Shown(`{"to":"bottom"}`, `Scrolled the page by … px; the end is reached
…`),
		define("browser_type", "Type text into a field", browserType).
			Shown(`{"target":"e1","text":"Ana Ruiz"}`, `Typed into textbox "Full name"
Value: "Ana Ruiz"`),
		define("browser_press", "Press keys: Enter, Control+K", browserPress).
			Shown(`{"keys":"Tab"}`, `Pressed Tab
Focus: textbox "Full name"
…`),
		define("browser_fill", "Fill 1-16 text fields", browserFill).
			Shown(`{"fields":[{"target":"e1","text":"Ana Ruiz"},{"target":{"label":"City"},"text":"Vigo"}]}`, `Filled 2 of 2 fields
…`),
		define("browser_select", "Choose options of a native select", browserSelect).
			Shown(`{"target":{"label":"Country"},"values":["France"]}`, `Chose "France" in combobox "Country"
…`),
		define("browser_check", "Check or uncheck", browserCheck).
			Shown(`{"target":{"label":"Gift"},"checked":true}`, `Checkbox "Gift" is checked now
…`),
		define("browser_upload", "Give files to an input or the button that asks for them", browserUpload).
			Shown(`{"target":{"label":"Letter"},"files":["letter.txt"]}`, `Gave 1 file to button "Letter"; it is now file, value="letter.txt"
Files on the page: letter.txt`),
		define("browser_wait", "Wait for one thing", browserWait).Reads().
			Shown(`{"text":"Thank you"}`, `Met after … ms: the page shows "Thank you"`),
		define("browser_evaluate", "Run JavaScript in the page", browserEvaluate).
			Shown(`{"expression":"document.forms.length"}`, `1`),
		define("browser_script", scriptDescription, browserScript).
			Shown(`{"code":"await type('e1', 'Ana'); return await evaluate(() => document.title)"}`, `Script finished: 2 steps
Value: "Checkout"
tab t1 · Checkout · https://shop.example/
…`),
		define("browser_dialog", "Answer the open dialog", browserDialog).
			Shown(`{"accept":true}`, `Accepted. Page ready: https://shop.example/`),
		define("browser_environment", "Viewport size, device, zoom, color scheme", browserEnvironment).
			Shown(`{"width":390,"height":844}`, `In force: 390 by 844, portrait, zoom 1, color scheme system`),
		define("browser_console", "Console and failed requests", browserConsole).Reads().
			Shown(`{"level":"error"}`, `1 entries; newest 1
#1 error: paid twice (https://shop.example/)`),
		define("request_takeover", "Ask the person to do something in a tab: sign in, a bot check, a payment", requestTakeover).
			Shown(`{"tab":"t1","reason":"Please solve the check"}`, `done: The person used this tab and gave it back, saying "solved"; look at it anew.`),
	}
}
