// Saves many drafts as one step: all or none, and the error names every draft that has changed.
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser'
import type { Sha256 } from '#kernel/change/index.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer, Actor } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import { fileText } from './directory-layout.ts'
import { requireDraftAccess, visibleDraft } from './draft-access.ts'
import { discardDraft, saveDraft } from './drafts.ts'
import { isIdVisible } from './id-visibility.ts'
import type { ParsedText } from './parse-text.ts'

/** One value in a component's text; without `value` it is removed. */
export interface DraftEdit {
  path: readonly string[]
  value?: unknown
}

/** `version` is the one that was read; 0 if the draft did not exist. */
export type DraftBatchItem = { id: ComponentId; version: number } &
  /** As typed; null removes the component. `base`, `restores` and `parsed` as for a single draft. */
  (
    | {
        text: string | null
        base?: number | undefined
        restores?: number | undefined
        parsed?: ParsedText | undefined
      }
    /** Applied to the draft's text, or to the active component's if no draft exists. */
    | { edits: readonly DraftEdit[] }
    | { drop: true }
  )

export interface SavedDraftVersion {
  id: ComponentId
  /** 0 if the draft no longer exists. */
  version: number
}

export interface DraftBatch {
  drafts: readonly DraftBatchItem[]
  actor: Actor
  /** What the user can see; null for everything. */
  viewer: Viewer | null
}

/**
 * @throws AlmanacError access.denied, conflict.stale_draft naming every draft that has changed,
 * conflict.stale_generation, component.not_found, request.invalid
 */
export function saveDraftBatch(
  transactor: OrgTransactor,
  { drafts, actor, viewer }: DraftBatch,
  clock: Clock,
  sha256: Sha256,
): SavedDraftVersion[] {
  for (const draft of drafts) requireItemAccess(transactor, draft, viewer)
  requireCurrentVersions(transactor, drafts, viewer)
  return drafts.map((draft) => {
    const { id, version } = draft
    if ('drop' in draft) {
      if (visibleDraft(transactor, id, viewer) !== undefined)
        discardDraft(transactor, id, { actor, viewer }, clock)
      return { id, version: 0 }
    }
    const text = 'text' in draft ? draft.text : editedText(transactor, draft, viewer)
    const base = 'base' in draft && draft.base !== undefined ? { base: draft.base } : {}
    const restores = 'restores' in draft ? draft.restores : undefined
    const parsed = 'parsed' in draft ? draft.parsed : undefined
    const save = { id, version, text, parsed, actor, viewer, restores, ...base }
    const saved = saveDraft(transactor, save, clock, sha256)
    return { id, version: saved.unchanged ? 0 : saved.draft.version }
  })
}

function requireCurrentVersions(
  transactor: OrgTransactor,
  drafts: readonly DraftBatchItem[],
  viewer: Viewer | null,
): void {
  const moved = drafts.flatMap(({ id, version }) => {
    const now = visibleDraft(transactor, id, viewer)
    return (now?.version ?? 0) === version ? [] : [{ id, now: now ?? null }]
  })
  const [first] = moved
  if (first === undefined) return
  const others = moved.length === 1 ? '' : `, and ${moved.length - 1} more`
  throw new AlmanacError(
    'conflict.stale_draft',
    `The draft of ${first.id}${others} changed since you read it${wordsOf(first.now)}. Nothing was saved. Load ${drafts.length === 1 ? 'it' : 'the drafts'} again.`,
    { details: moved.map(({ id, now }) => now ?? { id, version: 0 }) },
  )
}

/** A user who lost sight of a set can still drop their own draft there. */
function requireItemAccess(transactor: OrgTransactor, draft: DraftBatchItem, viewer: Viewer | null): void {
  if ('drop' in draft && visibleDraft(transactor, draft.id, viewer) !== undefined) return
  requireDraftAccess(transactor, draft.id, viewer)
}

function wordsOf(now: DraftRow | null): string {
  return now === null ? '' : `: ${now.changedBy} saved version ${now.version}`
}

function editedText(
  transactor: OrgTransactor,
  { id, edits }: { id: ComponentId; edits: readonly DraftEdit[] },
  viewer: Viewer | null,
): string {
  const { type, key } = splitId(id)
  const drafted = visibleDraft(transactor, id, viewer)?.text
  if (drafted != null) return applyEditsToText(id, drafted, edits)
  const active = isIdVisible(id, viewer)
    ? transactor.generations.view(transactor.generations.active()).get(type, key)
    : undefined
  if (active === undefined)
    throw new AlmanacError('component.not_found', `${id} does not exist, so it cannot be edited.`)
  const component = structuredClone(active) as Component
  for (const { path, value } of edits) setAt(component, path, value)
  return fileText(component)
}

/** Keeps the order and layout of the typed text. */
function applyEditsToText(id: ComponentId, text: string, edits: readonly DraftEdit[]): string {
  const faults: ParseError[] = []
  parse(text, faults)
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  try {
    if (faults.length > 0) throw new Error('not JSON')
    return edits.reduce(
      (typed, { path, value }) => applyEdits(typed, modify(typed, [...path], value, { formattingOptions })),
      text,
    )
  } catch {
    throw new AlmanacError(
      'request.invalid',
      `The draft of ${id} is not a JSON object with these properties, so no value can be set in it. Open the draft and fix its text.`,
    )
  }
}

function setAt(holder: object, [name, ...rest]: readonly string[], value: unknown): void {
  const parts = holder as Record<string, unknown>
  if (name === undefined) return
  if (rest.length > 0) {
    const inner = parts[name]
    if (typeof inner !== 'object' || inner === null) define(parts, name, {})
    setAt(parts[name] as object, rest, value)
  } else if (value === undefined) delete parts[name]
  else define(parts, name, value)
}

/** Defines an own property with any name, including `__proto__`. */
function define(parts: object, name: string, value: unknown): void {
  Object.defineProperty(parts, name, { value, enumerable: true, configurable: true, writable: true })
}
