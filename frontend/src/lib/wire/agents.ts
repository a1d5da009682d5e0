// Generated from app/wire_agents.go by build/gen: change it there.

// Agent is one agent with open connections.
export interface Agent {
  name: string
  connections: number
  tabs: number
}

// ConnectAgent is what the first-run panel shows to connect an agent.
export interface ConnectAgent {
  command: string // absolute path of the program
  args: string[]
  httpURL?: string // streamable HTTP endpoint; its token is in TokenFile
  token?: string
}

// Card is a question to the person, with one answer. It is gone from the list
// once it is answered or no longer means the same.
export interface Card {
  id: string
  kind: string // approval, file, takeover
  agent: string
  tab: string
  until: number // Unix milliseconds, when it expires by itself
  action: CardAction // of an approval
  reason?: string // of a takeover: the agent's own words
  gone?: boolean // the page that was asked about is no longer there to open
  held?: boolean // the person has opened it and holds the tab
}

// CardAction is what an agent wants to do. It holds no value of any field.
export interface CardAction {
  verb: string // click, type, press, evaluate, …
  targets: CardTarget[]
  text?: string // what would be typed, pressed or chosen, or the code
  hidden?: boolean // the text is left out: the field holds a secret or could not be looked at
  files?: string[] // names of the files to give; of a file card whole paths
  url: string
  title: string
}

// CardTarget describes an element; its box is in CSS pixels of the page's
// viewport, all zero when unknown.
export interface CardTarget {
  role: string
  name: string
  tag: string
  type?: string
  autocomplete?: string
  formHost?: string // where its form is sent
  host?: string // of the document that it is in
  secret?: boolean
  unseen?: boolean // it could not be looked at
  left: number
  top: number
  width: number
  height: number
}

// CardArgs is for cards.answer.
export interface CardArgs {
  card: string
  approve: boolean
}

// DoneArgs is for cards.done: a takeover is done; the note goes to the agent.
export interface DoneArgs {
  card: string
  note?: string
}

// AgentAccess is what the person lets an agent do; it is also the argument of
// agents.access.
export interface AgentAccess {
  name: string
  access: string // "" follows the setting; full, ask, off
  bounded: boolean // no code, files, recordings or developer tools, and every action asks
  seen: number // Unix seconds of its last connection; not read in an argument
}

// Pointer is the agent's pointer, in CSS pixels of the page's viewport. The UI
// draws it over the page (I8).
export interface Pointer {
  tab: string
  x: number
  y: number
  state: string // move, down, up, type, gone
  agent: string
  label?: string // what it is about to do
}
