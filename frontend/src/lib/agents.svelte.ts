// Agents with open connections, and their colours.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Agent, AgentAccess } from './wire'

export class Agents {
  list = $state.raw<Agent[]>([])

  access = $state.raw<AgentAccess[]>([]) // of all that have ever connected

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('agents', (list) => {
      this.list = list
    })
    host.on('access', (list) => {
      this.access = list
    })
  }

  let(agent: AgentAccess, change: Partial<AgentAccess>): void {
    void this.notices.watch(this.host.call('agents.access', { ...agent, ...change }))
  }
}

// agentTitle is a name as people write it: "claude-code" is "Claude Code".
export function agentTitle(name: string): string {
  return name.replace(/[-_]+/g, ' ').replace(/(^|\s)\p{Ll}/gu, (c) => c.toUpperCase())
}

export const initial = (name: string): string => ([...agentTitle(name).trim()][0] ?? '?').toUpperCase()
