// What a person pastes into an agent to connect it. Pure.
import type { ConnectAgent } from './wire'

export type AgentKind = 'claude' | 'codex' | 'cursor' | 'gemini' | 'other'

export const agentKinds: AgentKind[] = ['claude', 'codex', 'cursor', 'gemini', 'other']

// snippet gives a command line or a piece of JSON.
export function snippet(kind: AgentKind, connect: ConnectAgent, host: string): string {
  const line = [connect.command, ...connect.args].map((word) => quote(word, host)).join(' ')
  switch (kind) {
    case 'claude':
      return `claude mcp add baton -- ${line}`
    case 'codex':
      return `codex mcp add baton -- ${line}`
    case 'gemini':
      return `gemini mcp add baton ${line}`
    default:
      return JSON.stringify({ mcpServers: { baton: { command: connect.command, args: connect.args } } }, null, 2)
  }
}

// quote makes one word of a command line, for a POSIX shell or PowerShell.
export function quote(word: string, host: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (host === 'windows' || !word.includes('\\'))) return word
  return host === 'windows' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}
