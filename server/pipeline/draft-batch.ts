// Many drafts as one step: all are kept or none, and every row that another window moved is named (studio: "Nothing lost").
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser'
import type { Sha256 } from '#kernel/change/index.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ActorSight, By } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { DraftRow, OrgTransactor } from '../ports/org-store.ts'
import { fileText } from './directory-layout.ts'
import { demandDraftable, shownDraft } from './draft-access.ts'
import { discardDraft, saveDraft } from './drafts.ts'
import { idShown } from './shown.ts'

/** One value of a component's text; without `value` it is taken away. */
export interface DraftEdit {
  path: readonly string[]
  value?: unknown
}

/** `version` is the one that was seen; 0 where there was no draft. */
export type BatchedDraft = { id: ComponentId; version: number } &
  /** As typed; null removes the component. `base` and `restores` as of a single draft. */
  (
    | { text: string | null; base?: number | undefined; restores?: number | undefined }
    /** Over the draft's text, or over the active component's where there is none. */
    | { edits: readonly DraftEdit[] }
    | { drop: true }
  )

export interface KeptBatch {
  id: ComponentId
  /** 0 where there is no draft any more. */
  version: number
}

export interface DraftBatch {
  drafts: readonly BatchedDraft[]
  by: By
  /** What they may see; all of it if null. */
  sight: ActorSight | null
}

/** @throws AlmanacError access.denied, conflict.stale_draft naming every draft that moved, conflict.stale_generation, component.not_found, request.invalid */
export function keepDraftBatch(
  transactor: OrgTransactor,
  { drafts, by, sight }: DraftBatch,
  clock: Clock,
  sha256: Sha256,
): KeptBatch[] {
  for (const draft of drafts) demandPlace(transactor, draft, sight)
  demandVersions(transactor, drafts, sight)
  return drafts.map((draft) => {
    const { id, version } = draft
    if ('drop' in draft) {
      if (shownDraft(transactor, id, sight) !== undefined) discardDraft(transactor, id, { by, sight }, clock)
      return { id, version: 0 }
    }
    const text = 'text' in draft ? draft.text : editedText(transactor, draft, sight)
    const base = 'base' in draft && draft.base !== undefined ? { base: draft.base } : {}
    const restores = 'restores' in draft ? draft.restores : undefined
    const save = { id, version, text, by, sight, restores, ...base }
    const saved = saveDraft(transactor, save, clock, sha256)
    return { id, version: saved.unchanged ? 0 : saved.draft.version }
  })
}

function demandVersions(
  transactor: OrgTransactor,
  drafts: readonly BatchedDraft[],
  sight: ActorSight | null,
): void {
  const moved = drafts.flatMap(({ id, version }) => {
    const now = shownDraft(transactor, id, sight)
    return (now?.version ?? 0) === version ? [] : [{ id, now: now ?? null }]
  })
  const [first] = moved
  if (first === undefined) return
  const others = moved.length === 1 ? '' : `, and ${moved.length - 1} more`
  throw new AlmanacError(
    'conflict.stale_draft',
    `The draft of ${first.id}${others} moved since you read it${wordsOf(first.now)}. Nothing of the ${drafts.length} was kept: load them again.`,
    { details: moved.map(({ id, now }) => now ?? { id, version: 0 }) },
  )
}

/** Also a user who lost sight of a set may drop a draft of their own there. */
function demandPlace(transactor: OrgTransactor, draft: BatchedDraft, sight: ActorSight | null): void {
  if ('drop' in draft && shownDraft(transactor, draft.id, sight) !== undefined) return
  demandDraftable(transactor, draft.id, sight)
}

function wordsOf(now: DraftRow | null): string {
  return now === null ? '' : `: ${now.changedBy} saved version ${now.version}`
}

function editedText(
  transactor: OrgTransactor,
  { id, edits }: { id: ComponentId; edits: readonly DraftEdit[] },
  sight: ActorSight | null,
): string {
  const { type, key } = splitId(id)
  const drafted = shownDraft(transactor, id, sight)?.text
  if (drafted != null) return editedAsTyped(id, drafted, edits)
  const active = idShown(id, sight)
    ? transactor.view(transactor.activeGeneration()).get(type, key)
    : undefined
  if (active === undefined) throw new AlmanacError('component.not_found', `There is no ${id} to edit.`)
  const component = structuredClone(active) as Component
  for (const { path, value } of edits) setAt(component, path, value)
  return fileText(component)
}

/** Order and layout of what was typed stay. */
function editedAsTyped(id: ComponentId, text: string, edits: readonly DraftEdit[]): string {
  const faults: ParseError[] = []
  parse(text, faults)
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  try {
    if (faults.length > 0) throw new Error('no JSON')
    return edits.reduce(
      (typed, { path, value }) => applyEdits(typed, modify(typed, [...path], value, { formattingOptions })),
      text,
    )
  } catch {
    throw new AlmanacError(
      'request.invalid',
      `The draft of ${id} is no JSON object with these places, so no value of it can be set. Open it and fix its text.`,
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

/** An own property whatever its name, `__proto__` included. */
function define(parts: object, name: string, value: unknown): void {
  Object.defineProperty(parts, name, { value, enumerable: true, configurable: true, writable: true })
}
