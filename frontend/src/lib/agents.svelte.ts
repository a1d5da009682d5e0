// Agents with open connections, and their colours.
import type { Host } from './host'
import type { Agent } from './wire'

export class Agents {
  list = $state.raw<Agent[]>([])

  constructor(host: Host) {
    host.on('agents', (list) => {
      this.list = list
    })
  }
}

// agentTitle is a name as people write it: "claude-code" is "Claude Code".
export function agentTitle(name: string): string {
  return name.replace(/[-_]+/g, ' ').replace(/(^|\s)\p{Ll}/gu, (c) => c.toUpperCase())
}

export const initial = (name: string): string => ([...agentTitle(name).trim()][0] ?? '?').toUpperCase()
