// A flag as the lists of flags show it: types only, for server and page alike (studio: Flags).
import type { Scope } from '../scopes.ts'
import type { FlagState } from './lifetime.ts'

export interface FlagRow {
  key: string
  label: string
  owner: {
    kind: 'user' | 'group'
    key: string
    /** What people call the owner; the key where nobody of that key is known. */
    name: string
    /** Whether the owner is there and active. */
    live: boolean
  }
  expiresOn: string
  /** At the org's clock; negative once frozen. */
  daysLeft: number
  state: FlagState
  rationale: string
  scopes: string[]
  /** Null where its values are hidden from whoever asks. */
  default: boolean | null
  /** Scope entries; empty where its values are hidden. */
  entries: { entry: string; scope: Scope; value: boolean; priority: number | null }[]
  /** Places that read it. */
  usages: number
  /** Permission sets with the edit grant. */
  edit: string[]
  /** Whether whoever asks may edit it: config.author and the edit grant. */
  mayEdit: boolean
  /** Whether a draft of the flag, or of an entry of it, is open. */
  drafts: number
}

/** `GET /setup/v3/flags`. */
export interface FlagList {
  flags: FlagRow[]
  total: number
  /** How many of each there are, whatever was asked for. */
  states: Record<FlagState, number>
  today: string
  nextCursor: string | null
}
