// A flag as the lists of flags show it: types only, shared by the server and the studio.
import type { Scope } from '#kernel/components/scopes.ts'
import type { FlagState } from '#kernel/components/feature-flag/lifetime.ts'

export interface FlagRow {
  key: string
  label: string
  owner: {
    kind: 'user' | 'group'
    key: string
    /** The name of the owner; the key if no such user or group exists. */
    name: string
    /** Whether the owner exists and is active. */
    live: boolean
  }
  expiresOn: string
  /** By the clock of the org; negative once frozen. */
  daysLeft: number
  state: FlagState
  rationale: string
  scopes: string[]
  /** Null if its values are hidden from the caller. */
  default: boolean | null
  /** Scope entries; empty if its values are hidden. */
  entries: { entry: string; scope: Scope; value: boolean; priority: number | null }[]
  /** Places that read it. */
  usages: number
  /** Permission sets with the edit grant. */
  edit: string[]
  /** Whether the caller can edit it: config.author and the edit grant. */
  mayEdit: boolean
  /** Whether a draft of the flag, or of an entry of it, is open. */
  drafts: number
}

/** `GET /setup/v3/flags`. */
export interface FlagList {
  flags: FlagRow[]
  total: number
  /** Totals of all flags, regardless of the filter. */
  states: Record<FlagState, number>
  today: string
  nextCursor: string | null
}
