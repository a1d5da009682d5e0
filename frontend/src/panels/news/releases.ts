// What each version of Baton brought, the newest first.

export interface Release {
  version: string
  points: Point[]
}

export interface Point {
  what: string
  more: string
}

export const releases: Release[] = [
  {
    version: '0.1.0',
    points: [
      {
        what: 'One browser for you and your agents',
        more: 'Claude Code, Codex, Gemini CLI and other agents that speak MCP open tabs here, read pages, click, type, choose and give files. You see where they point and what they do.',
      },
      {
        what: 'You come first',
        more: 'Touch a page and its agent stops. Give the page back when you are done, with a note if you like.',
      },
      {
        what: 'How far agents may go is yours to say',
        more: 'Each acts freely, asks before it acts, or does nothing. An agent can ask you to take over when only you can go on.',
      },
      {
        what: 'Secrets stay yours',
        more: 'What password, code and card fields hold is shown to no agent. Tabs that you make private are not shown to agents at all.',
      },
      {
        what: 'A browser in its own right',
        more: 'Tabs that come back after a restart, history, downloads, find, zoom, site information, developer tools, other page sizes, and a small window over all others.',
      },
      {
        what: 'In a window or in your browser',
        more: 'Run baton for the window, or baton serve to use it from a browser.',
      },
    ],
  },
]
