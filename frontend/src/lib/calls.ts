// What the host can be asked: a method's name, its arguments, its result.
import type * as wire from './wire'

export interface Calls {
  hello: { args: undefined; result: wire.Hello }
  'tabs.open': { args: wire.OpenArgs; result: wire.TabResult }
  'tabs.close': { args: wire.TabArgs; result: unknown }
  'tabs.reopen': { args: undefined; result: wire.TabResult }
  'tabs.activate': { args: wire.TabArgs; result: unknown }
  'tabs.navigate': { args: wire.NavigateArgs; result: unknown }
  'tabs.history': { args: wire.HistoryArgs; result: unknown }
  'tabs.reload': { args: wire.ReloadArgs; result: unknown }
  'tabs.stop': { args: wire.TabArgs; result: unknown }
  'tabs.move': { args: wire.MoveArgs; result: unknown }
  'tabs.duplicate': { args: wire.TabArgs; result: wire.TabResult }
  'tabs.private': { args: wire.PrivateArgs; result: unknown }
  'tabs.pin': { args: wire.PinArgs; result: unknown }
  'tabs.viewport': { args: wire.ViewportArgs; result: unknown }
  'tabs.mute': { args: wire.MuteArgs; result: unknown }
  'tabs.take': { args: wire.TabArgs; result: unknown }
  'tabs.give': { args: wire.GiveArgs; result: unknown }
  'tabs.inspect': { args: wire.InspectArgs; result: wire.TabResult }
  'view.watch': { args: wire.WatchArgs; result: unknown }
  'view.leave': { args: wire.ViewArgs; result: unknown }
  'dialog.answer': { args: wire.DialogArgs; result: unknown }
  'surface.choose': { args: wire.SurfaceArgs; result: unknown }
  'surface.set': { args: wire.SurfaceArgs; result: unknown }
  'surface.close': { args: wire.SurfaceArgs; result: unknown }
  'cards.open': { args: wire.CardArgs; result: wire.TabResult }
  'cards.done': { args: wire.DoneArgs; result: unknown }
  'files.begin': { args: wire.UploadArgs; result: wire.UploadResult }
  'files.part': { args: wire.PartArgs; result: unknown }
  'files.forget': { args: wire.DropUploadArgs; result: unknown }
  'files.choose': { args: wire.ChooseArgs; result: unknown }
  'files.cancel': { args: wire.AskArgs; result: unknown }
  'files.drop': { args: wire.DropArgs; result: unknown }
  'signin.answer': { args: wire.SignInArgs; result: unknown }
  'signin.cancel': { args: wire.AskArgs; result: unknown }
  'signin.ask': { args: wire.TabArgs; result: unknown }
  'site.info': { args: wire.TabArgs; result: wire.Site }
  'site.permit': { args: wire.PermitArgs; result: unknown }
  'site.clear': { args: wire.TabArgs; result: unknown }
  'site.pass': { args: wire.TabArgs; result: wire.PassResult }
  'site.open': { args: wire.TabArgs; result: unknown }
  'cards.answer': { args: wire.CardArgs; result: unknown }
  'agents.access': { args: wire.AgentAccess; result: unknown }
  'news.take': { args: undefined; result: wire.Unread }
  'settings.set': { args: wire.Settings; result: wire.Settings }
  'tabs.zoom': { args: wire.ZoomArgs; result: unknown }
  'tabs.steps': { args: wire.TabArgs; result: wire.Steps }
  'tabs.unfull': { args: wire.TabArgs; result: unknown }
  'tabs.source': { args: wire.TabArgs; result: wire.TabResult }
  'find.start': { args: wire.FindArgs; result: unknown }
  'find.step': { args: wire.FindStepArgs; result: unknown }
  'find.stop': { args: wire.TabArgs; result: unknown }
  'page.print': { args: wire.TabArgs; result: wire.SavedResult }
  'image.save': { args: wire.ImageArgs; result: wire.SavedResult }
  'image.copy': { args: wire.ImageArgs; result: wire.ImageResult }
  'downloads.open': { args: wire.DownloadArgs; result: wire.FileResult }
  'downloads.show': { args: wire.DownloadArgs; result: wire.FileResult }
  'downloads.cancel': { args: wire.DownloadArgs; result: unknown }
  'downloads.retry': { args: wire.DownloadArgs; result: unknown }
  'downloads.forget': { args: wire.DownloadArgs; result: unknown }
  'downloads.clear': { args: undefined; result: unknown }
  'address.read': { args: wire.TextArgs; result: wire.ReadResult }
  'address.servers': { args: undefined; result: wire.ServersResult }
  'history.list': { args: wire.PlacesArgs; result: wire.Place[] }
  'history.suggest': { args: wire.PlacesArgs; result: wire.Place[] }
  'history.forget': { args: wire.ForgetArgs; result: unknown }
  'history.clear': { args: wire.ClearArgs; result: unknown }
  'clipboard.copy': { args: wire.TabArgs; result: wire.ClipResult }
  'clipboard.cut': { args: wire.TabArgs; result: wire.ClipResult }
  'clipboard.selection': { args: wire.TabArgs; result: wire.ClipResult }
}

export type CallName = keyof Calls

// CallArgs makes the second argument optional for methods that take none.
export type CallArgs<M extends CallName> = Calls[M]['args'] extends undefined ? [] : [args: Calls[M]['args']]

// Events carries the data of each event the host may send.
export interface Events {
  tabs: wire.Tab[]
  agents: wire.Agent[]
  settings: wire.Settings
  dialog: wire.Dialog
  cursor: wire.Cursor
  pointer: wire.Pointer
  notice: wire.Notice
  raise: unknown
  view: wire.ViewState
  cards: wire.Card[]
  surface: wire.Surface
  asks: wire.Asks
  access: wire.AgentAccess[]
  downloads: wire.Download[]
  recents: wire.Place[]
  find: wire.Find
  copied: wire.Copied
}

export type EventName = keyof Events
