package app

// What the wire says of agents and their questions.

// Agent is one agent with open connections.
type Agent struct {
	Name        string `json:"name"`
	Connections int    `json:"connections"`
	Tabs        int    `json:"tabs"`
}

// ConnectAgent is what the first-run panel shows to connect an agent.
type ConnectAgent struct {
	Command string   `json:"command"` // absolute path of the program
	Args    []string `json:"args"`
	HTTPURL string   `json:"httpURL,omitempty"` // streamable HTTP endpoint; its token is in TokenFile
	Token   string   `json:"token,omitempty"`
}

// Card is a question to the person, with one answer. It is gone from the list
// once it is answered or no longer means the same.
type Card struct {
	ID     string     `json:"id"`
	Kind   string     `json:"kind"` // approval, file, takeover
	Agent  string     `json:"agent"`
	Tab    string     `json:"tab"`
	Until  int64      `json:"until"`  // Unix milliseconds, when it expires by itself
	Action CardAction `json:"action"` // of an approval

	Reason string `json:"reason,omitempty"` // of a takeover: the agent's own words
	Gone   bool   `json:"gone,omitempty"`   // the page that was asked about is no longer there to open
	Held   bool   `json:"held,omitempty"`   // the person has opened it and holds the tab
}

// CardAction is what an agent wants to do. It holds no value of any field.
type CardAction struct {
	Verb    string       `json:"verb"` // click, type, press, evaluate, …
	Targets []CardTarget `json:"targets"`
	Text    string       `json:"text,omitempty"`   // what would be typed, pressed or chosen, or the code
	Hidden  bool         `json:"hidden,omitempty"` // the text is left out: the field holds a secret or could not be looked at
	Files   []string     `json:"files,omitempty"`  // names of the files to give; of a file card whole paths
	URL     string       `json:"url"`
	Title   string       `json:"title"`
}

// CardTarget describes an element; its box is in CSS pixels of the page's
// viewport, all zero when unknown.
type CardTarget struct {
	Role         string  `json:"role"`
	Name         string  `json:"name"`
	Tag          string  `json:"tag"`
	Type         string  `json:"type,omitempty"`
	Autocomplete string  `json:"autocomplete,omitempty"`
	FormHost     string  `json:"formHost,omitempty"` // where its form is sent
	Host         string  `json:"host,omitempty"`     // of the document that it is in
	Secret       bool    `json:"secret,omitempty"`
	Unseen       bool    `json:"unseen,omitempty"` // it could not be looked at
	Left         float64 `json:"left"`
	Top          float64 `json:"top"`
	Width        float64 `json:"width"`
	Height       float64 `json:"height"`
}

// CardArgs is for cards.answer.
type CardArgs struct {
	Card    string `json:"card"`
	Approve bool   `json:"approve"`
}

// DoneArgs is for cards.done: a takeover is done; the note goes to the agent.
type DoneArgs struct {
	Card string `json:"card"`
	Note string `json:"note,omitempty"`
}

// AgentAccess is what the person lets an agent do; it is also the argument of
// agents.access.
type AgentAccess struct {
	Name    string `json:"name"`
	Access  string `json:"access"`  // "" follows the setting; full, ask, off
	Bounded bool   `json:"bounded"` // no code, files, recordings or developer tools, and every action asks
	Seen    int64  `json:"seen"`    // Unix seconds of its last connection; not read in an argument
}

// Pointer is the agent's pointer, in CSS pixels of the page's viewport. The UI
// draws it over the page (I8).
type Pointer struct {
	Tab   string  `json:"tab"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	State string  `json:"state"` // move, down, up, type, gone
	Agent string  `json:"agent"`
	Label string  `json:"label,omitempty"` // what it is about to do
}
