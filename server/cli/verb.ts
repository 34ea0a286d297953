// What a verb is: its line of usage as data, and its code, loaded when it is called (completions 7).
import type { LocalOrg } from './local-org.ts'
import type { OrgApi } from './org-api.ts'
import type { RemoteOrg } from './remote-org.ts'
import type { Terminal } from './terminal.ts'

export interface Verb {
  /** `apply`, or two words as in `user add`. */
  name: string
  /** As commander writes arguments: `<dir>`, `[dir]`. */
  usage: string
  summary: string
  /** Flags as commander writes them, and what they say. A flag that may be given often ends in `...`. */
  options: readonly (readonly [flags: string, description: string])[]
  /** Whether its arguments are text, which may be empty and which the verb judges. */
  takesText?: true
  /** Whether it changes the org in the folder, with some of its options or always. */
  writes?: true
  load: () => Promise<{ run: Run }>
}

export interface Call {
  args: readonly string[]
  options: Readonly<Record<string, unknown>>
  terminal: Terminal
  /** The org of --org, ALMANAC_ORG or this folder. Closed when the verb is done. */
  org(): Promise<OrgApi>
  /** The same where the verb works on a folder only. @throws UsageError for an address */
  localOrg(): Promise<LocalOrg>
  /** The org behind the address of --org; null where it is a folder. */
  remoteOrg(): Promise<RemoteOrg | null>
  /** The folder or address of the org, where one is named or lies here. */
  orgPlace: string | null
}

/** The exit code; 0 where left out. */
export type Run = (call: Call) => Promise<number | void>
