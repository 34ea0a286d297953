// The content of a row of the vault: what is used now, what is staged, and what was replaced and is still valid.
import type { AuditFact, Actor } from '../access/index.ts'
import type { SealedSlot } from './seal.ts'
import type { VaultContent } from './vault.ts'

export interface SecretSet {
  version: number
  at: string
  by: string
  slots: readonly SealedSlot[]
}

export interface PriorSet extends SecretSet {
  until: string
  /** The user who replaced it. */
  endedBy: string
}

/** A fact that is written to the audit after the vault; kept here until it is. */
export interface AuditNote extends AuditFact {
  at: string
  by: Pick<Actor, 'actor' | 'correlationId' | 'operatorName'>
}

export interface SecretContent {
  /** Of the last write. */
  version: number
  current: SecretSet | null
  next: SecretSet | null
  prior: PriorSet | null
  unaudited: readonly AuditNote[]
}

const empty: SecretContent = { version: 0, current: null, next: null, prior: null, unaudited: [] }

export function parseContent(content: string | null): SecretContent {
  return content === null ? empty : (JSON.parse(content) as SecretContent)
}

/** Null for a content without anything. A row with a note is due at once, until the note is in the audit. */
export function contentOf(content: SecretContent): VaultContent | null {
  const { current, next, prior, unaudited } = content
  if (current === null && next === null && prior === null && unaudited.length === 0) return null
  return { content: JSON.stringify(content), dueAt: unaudited[0]?.at ?? prior?.until ?? null }
}

/** The same content with each sealed slot replaced. */
export function replaceSlots(content: string, replace: (slot: SealedSlot) => SealedSlot): string {
  const { current, next, prior, ...rest } = parseContent(content)
  const replaced = <T extends SecretSet>(set: T | null): T | null =>
    set === null ? null : { ...set, slots: set.slots.map(replace) }
  const changed: SecretContent = {
    ...rest,
    current: replaced(current),
    next: replaced(next),
    prior: replaced(prior),
  }
  return JSON.stringify(changed)
}
