// Questions that wait for the person, oldest first.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import { t, type TextKey } from './text'
import type { Card } from './wire'

// settleTime is how long a new card takes no answer, in milliseconds: a click
// or key that was meant for what was there before is none.
export const settleTime = 600

export class Cards {
  list = $state.raw<Card[]>([])
  // What is answered and not yet gone from the host's list.
  private answered = $state.raw<string[]>([])

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
    onask: (card: Card) => void = () => {},
  ) {
    host.on('cards', (list) => {
      const known = this.list.map((card) => card.id)
      this.list = list
      this.answered = this.answered.filter((id) => list.some((card) => card.id === id))
      for (const card of list) if (!known.includes(card.id)) onask(card)
    })
  }

  get open(): Card[] {
    return this.list.filter((card) => !this.answered.includes(card.id))
  }

  // on gives the cards of one tab.
  on(tab: string): Card[] {
    return this.open.filter((card) => card.tab === tab)
  }

  forget(): void {
    this.list = []
    this.answered = []
  }

  answer(card: string, approve: boolean): void {
    this.answered = [...this.answered, card]
    void this.notices.watch(this.host.call('cards.answer', { card, approve }))
  }

  // openTab takes the tab that a takeover is about and gives its id.
  async openTab(card: string): Promise<string | undefined> {
    return (await this.notices.watch(this.host.call('cards.open', { card, approve: true })))?.tab
  }

  done(card: string, note: string): void {
    this.answered = [...this.answered, card]
    void this.notices.watch(this.host.call('cards.done', note ? { card, note } : { card }))
  }
}

const verbs: Record<string, TextKey> = {
  click: 'card.click',
  'right-click': 'card.rightClick',
  'double-click': 'card.doubleClick',
  hover: 'card.hover',
  drag: 'card.drag',
  type: 'card.type',
  press: 'card.press',
  fill: 'card.fill',
  select: 'card.select',
  check: 'card.check',
  uncheck: 'card.uncheck',
  upload: 'card.upload',
  evaluate: 'card.evaluate',
  'open the file': 'card.openFile',
  'give the file': 'card.giveFile',
  'accept the dialog': 'card.acceptDialog',
  'dismiss the dialog': 'card.dismissDialog',
}

// wish says in words what an agent wants to do.
export function wish(card: Card, agent: string): string {
  if (card.kind === 'takeover') return t('card.takeover', { agent })
  const key = verbs[card.action.verb]
  return key ? t(key, { agent }) : t('card.other', { agent, verb: card.action.verb })
}

// site is the host of the page that a card is about.
export function site(card: Card): string {
  return URL.parse(card.action.url)?.host || card.action.url
}
