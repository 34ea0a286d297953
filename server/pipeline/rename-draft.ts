// Renames a component as a draft; references to it follow when the draft is applied
// (docs/reference/pipeline-and-approvals.md).
import type { CandidateComponent, Sha256 } from '#kernel/change/index.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer, Actor } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import { fileText } from './directory-layout.ts'
import {
  requireDraftAccess,
  dropDraft,
  visibleDraft,
  visibleDrafts,
  setRestoredIdentity,
  restoredIdentitiesOf,
} from './draft-access.ts'
import { recordDiscard, requireValidKey, saveDraft, type SavedDraft } from './drafts.ts'
import { parseDraft } from './parse-draft.ts'
import { isIdVisible } from './id-visibility.ts'

export interface DraftRename {
  /** An active component, or one that only exists as a draft. */
  from: ComponentId
  toKey: string
  actor: Actor
  viewer: Viewer | null
}

export interface RenamedDraft extends SavedDraft {
  /** The key of the active component that is renamed; null for a component that only exists as a draft. */
  origin: string | null
}

/**
 * Creates a draft under the new key, with `renamedFrom`. A draft of the component moves along, an earlier rename is
 * replaced, and a move to the component's active key cancels the rename.
 * @throws AlmanacError access.denied, component.not_found, conflict.exists, request.invalid
 */
export function renameDraft(
  transactor: OrgTransactor,
  { from, toKey, actor, viewer }: DraftRename,
  clock: Clock,
  sha256: Sha256,
): RenamedDraft {
  const { type, key } = splitId(from)
  const to: ComponentId = `${type}/${toKey}`
  requireValidKey(to)
  const view = transactor.generations.view(transactor.generations.active())
  const isActive = view.has(type, key) && isIdVisible(from, viewer)
  const draft =
    (isActive ? renameOf(visibleDrafts(transactor, viewer), type, key) : undefined) ??
    visibleDraft(transactor, from, viewer)
  if (!isActive && draft === undefined)
    throw new AlmanacError('component.not_found', `${from} does not exist, so it cannot be renamed.`)
  const place = draft?.id ?? from
  for (const id of new Set([from, place, to])) requireDraftAccess(transactor, id, viewer)
  const written = draft === undefined ? null : requireParsedDraft(draft)
  const origin = isActive ? key : (written?.hints.renamedFrom ?? null)
  const isFree = toKey === origin || !view.has(type, toKey)
  if (!isFree || to === place || visibleDraft(transactor, to, viewer) !== undefined)
    throw new AlmanacError('conflict.exists', `${to} already exists. Choose a different key.`)
  const component = written?.component ?? (view.get(type, key) as Component)
  const text = textOf(component, toKey, origin)
  const restored = restoredIdentitiesOf(transactor).get(place)
  dropDraft(transactor, place, viewer)
  const save = { id: to, text, version: 0, actor, movedDraft: draft, viewer }
  const saved = saveDraft(transactor, save, clock, sha256)
  if (restored !== undefined && !saved.unchanged) setRestoredIdentity(transactor, to, restored)
  if (saved.unchanged && draft !== undefined) recordDiscard(transactor, draft, actor, clock)
  return { ...saved, origin }
}

function renameOf(drafts: readonly DraftRow[], type: string, key: string): DraftRow | undefined {
  return drafts.find((draft) => {
    if (draft.text === null || !draft.id.startsWith(`${type}/`)) return false
    return parseDraft(draft).parsed?.hints.renamedFrom === key
  })
}

/** No typed text is lost: a draft that cannot be read is not rewritten. @throws AlmanacError request.invalid */
function requireParsedDraft(draft: DraftRow): CandidateComponent {
  const { id, text } = draft
  if (text === null)
    throw new AlmanacError(
      'request.invalid',
      `The draft of ${id} removes the component. Discard the draft, then rename.`,
    )
  const { parsed } = parseDraft(draft)
  if (parsed !== null) return parsed
  throw new AlmanacError(
    'request.invalid',
    `The draft of ${id} cannot be read yet. Fix or discard it, then rename.`,
  )
}

function textOf(component: Component, key: string, origin: string | null): string {
  const renamed = JSON.parse(fileText({ ...component, key } as Component)) as object
  const hint = origin === null || origin === key ? {} : { renamedFrom: origin }
  return `${JSON.stringify({ ...renamed, ...hint }, null, 2)}\n`
}
