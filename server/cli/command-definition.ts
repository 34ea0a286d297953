// A command: its usage as data, and its code, loaded when it is called.
import type { LocalOrg } from './local-org.ts'
import type { OrgApi } from './org-api.ts'
import type { RemoteOrg } from './remote-org.ts'
import type { Terminal } from './terminal.ts'

export interface CommandDefinition {
  /** `apply`, or two words as in `user add`. */
  name: string
  /** Arguments in commander's notation: `<dir>`, `[dir]`. */
  usage: string
  summary: string
  /**
   * Flags in commander's notation, and their help. A flag that can be repeated ends in `...`. The placeholder decides
   * which values it takes (value-kinds.ts); `<yes|no>` takes only these words.
   */
  options: readonly (readonly [flags: string, description: string])[]
  /** Whether its arguments are text that may be empty; the command checks them. */
  takesText?: true
  /** Whether it changes the org in the folder, always or with some of its options. */
  writes?: true
  /** Whether one of its own options has the effect of --json. */
  printsJson?: (options: Readonly<Record<string, unknown>>) => boolean
  load: () => Promise<{ run: Run }>
}

export interface Call {
  args: readonly string[]
  options: Readonly<Record<string, unknown>>
  terminal: Terminal
  /** The org of --org, ALMANAC_ORG or this folder. Closed when the command is done. */
  org(): Promise<OrgApi>
  /** The same for a command that works only on a folder. @throws UsageError for a URL */
  localOrg(): Promise<LocalOrg>
  /** The org behind the URL of --org; null if it is a folder. */
  remoteOrg(): Promise<RemoteOrg | null>
  /** The folder or URL of the org, if one is named or is in this folder. */
  orgPlace: string | null
}

/** The exit code; default 0. */
export type Run = (call: Call) => Promise<number | void>
