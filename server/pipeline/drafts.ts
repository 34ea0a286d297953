// Drafts: text as typed, valid or not, until it is applied or dropped (docs/reference/pipeline-and-approvals.md).
import { componentDigest, normaliseComponent, type Sha256 } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { explainKey, splitId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { recordAudit, type Viewer, type Actor } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import { parseDraft } from './parse-draft.ts'
import {
  requireDraftAccess,
  dropDraft,
  isOwnDraft,
  putDraft,
  visibleDraft,
  visibleDraftBriefs,
  setRestoredIdentity,
} from './draft-access.ts'
import { addWriter } from './draft-writers.ts'
import type { ParsedText } from './parse-text.ts'
import { removedIdentity, isRestoredHidden } from './restored-identity.ts'
import { isIdVisible } from './id-visibility.ts'

export interface DraftSave {
  id: ComponentId
  /** Null removes the component. */
  text: string | null
  /** The text as a component, parsed before the transaction begins, because others wait for its lock. */
  parsed?: ParsedText | undefined
  /** The version that was seen; 0 for a new draft. */
  version: number
  /** The active generation, if the author has reviewed what changed under the draft; the draft is then based on it. */
  base?: number
  /** The older generation whose component a new draft restores, if it is gone. */
  restores?: number | undefined
  /** The user who saves: the author of a new draft, and a writer of any draft. */
  actor: Actor
  /** The draft that moves to this id. */
  movedDraft?: DraftRow | undefined
  /** What the user can see; null for everything. */
  viewer: Viewer | null
}

/** The user who discards a draft, and what they can see; null for everything. */
export interface DraftDiscardContext {
  actor: Actor
  viewer: Viewer | null
}

export interface SavedDraft {
  draft: DraftRow
  /** Findings of the text itself; a plan of the drafts checks them together. */
  findings: Finding[]
  /** The text equals the active content, so the draft no longer exists. */
  unchanged: boolean
}

/** Returns a text with the component that it contains, for `saveDraft`; nothing without a text. */
export function parseAhead(save: { id: ComponentId; text?: string | null }): Pick<DraftSave, 'parsed'> {
  const { id, text } = save
  return text == null ? {} : { parsed: parseDraft({ id, text }) }
}

/** @throws AlmanacError access.denied, conflict.stale_draft, conflict.stale_generation, component.not_found, request.invalid */
export function saveDraft(
  transactor: OrgTransactor,
  save: DraftSave,
  clock: Clock,
  sha256: Sha256,
): SavedDraft {
  requireValidKey(save.id)
  requireDraftAccess(transactor, save.id, save.viewer)
  const existing = visibleDraft(transactor, save.id, save.viewer)
  requireCurrentDraftVersion(save, existing)
  const generation = transactor.generations.active()
  if (save.base !== undefined && save.base !== generation)
    throw new AlmanacError(
      'conflict.stale_generation',
      `Generation ${generation} is now active, but you reviewed generation ${save.base}. Review the changes again, then resolve the conflict of ${save.id}.`,
    )
  const active = transactor.components.digest(generation, save.id) ?? null
  const begun = existing ?? save.movedDraft
  const ground = save.base === undefined ? begun : undefined
  if (save.text === null && active === null && existing === undefined)
    throw new AlmanacError('component.not_found', `${save.id} does not exist, so it cannot be removed.`)
  const draft: DraftRow = {
    id: save.id,
    text: save.text,
    baseDigest: ground === undefined ? active : ground.baseDigest,
    baseGeneration: ground?.baseGeneration ?? generation,
    version: save.version + 1,
    ...authorshipOf(save.actor, begun),
    updatedAt: clock.now(),
  }
  const { findings, unchanged } = checkDraft(
    transactor,
    draft,
    { generation, active, viewer: save.viewer, parsed: save.parsed },
    sha256,
  )
  if (!unchanged) {
    putDraft(transactor, draft, save.viewer)
    if (active === null) storeRestoredIdentity(transactor, save)
  } else if (existing !== undefined) discardDraft(transactor, save.id, save, clock)
  return { draft: visibleDraft(transactor, save.id, save.viewer) ?? draft, findings, unchanged }
}

/** The removed component that the draft of a free key restores, if its author saw that component. */
function storeRestoredIdentity(transactor: OrgTransactor, { id, restores, viewer }: DraftSave): void {
  const identity = restores === undefined ? undefined : removedIdentity(transactor, id, restores)
  if (identity === undefined || isRestoredHidden(transactor, identity, viewer)) return
  setRestoredIdentity(transactor, id, identity)
}

type DraftAuthorship = Pick<DraftRow, 'author' | 'changedBy' | 'operator' | 'changedOperator' | 'writers'>

/** A draft keeps its first author and every writer. */
function authorshipOf({ actor, operatorName }: Actor, begun: DraftRow | undefined): DraftAuthorship {
  const operator = begun === undefined ? operatorName : begun.operator
  return {
    author: begun?.author ?? actor,
    changedBy: actor,
    ...(operator === undefined ? {} : { operator }),
    ...(operatorName === undefined ? {} : { changedOperator: operatorName }),
    writers: addWriter(begun?.writers ?? [], { user: actor, operator: operatorName ?? null }),
  }
}

/** @throws AlmanacError draft.not_found, the same for a hidden draft and a missing one */
export function discardDraft(
  transactor: OrgTransactor,
  id: ComponentId,
  { actor, viewer }: DraftDiscardContext,
  clock: Clock,
): void {
  const draft = visibleDraft(transactor, id, viewer)
  if (draft === undefined) throw new AlmanacError('draft.not_found', `The draft of ${id} does not exist.`)
  dropDraft(transactor, id, viewer)
  recordDiscard(transactor, draft, actor, clock)
}

/** Audits that another user's work was discarded, so that it is known who did it. */
export function recordDiscard(
  transactor: Pick<OrgTransactor, 'audit'>,
  draft: DraftRow,
  by: Actor,
  clock: Clock,
): void {
  if (isOwnDraft(draft, by.actor)) return
  const { id, author, changedBy, version } = draft
  const before = { author, changedBy, version }
  recordAudit(transactor, by, clock.now(), { component: id, kind: 'draft.discarded', before, after: null })
}

/** Discards all shown drafts of these authors. Returns them, and the number left of others. */
export function discardDraftsOf(
  transactor: OrgTransactor,
  authors: readonly string[],
  drop: DraftDiscardContext,
  clock: Clock,
): { discarded: ComponentId[]; left: number } {
  const shown = visibleDraftBriefs(transactor, drop.viewer)
  const theirs = shown.filter(({ author }) => authors.includes(author))
  for (const { id } of theirs) discardDraft(transactor, id, drop, clock)
  return { discarded: theirs.map(({ id }) => id), left: shown.length - theirs.length }
}

/** A draft with an invalid key could never be applied. @throws AlmanacError request.invalid */
export function requireValidKey(id: ComponentId): void {
  const { type, key } = splitId(id)
  const reason = explainKey(type, key)
  if (reason !== null) throw new AlmanacError('request.invalid', reason)
}

function requireCurrentDraftVersion({ id, version: seen }: DraftSave, existing: DraftRow | undefined): void {
  const version = existing?.version ?? 0
  if (version === seen) return
  const now =
    existing === undefined ? 'It was applied or discarded' : `${existing.changedBy} saved version ${version}`
  throw new AlmanacError(
    'conflict.stale_draft',
    `The draft of ${id} changed since you read version ${seen}. ${now}. Load it again.`,
    { details: existing === undefined ? [] : [existing] },
  )
}

interface DraftCheck {
  generation: number
  /** The digest of the active component. */
  active: string | null
  viewer: Viewer | null
  parsed: ParsedText | undefined
}

function checkDraft(
  reader: Pick<OrgReader, 'generations'>,
  draft: DraftRow,
  { generation, active, viewer, parsed: ahead }: DraftCheck,
  sha256: Sha256,
): { findings: Finding[]; unchanged: boolean } {
  if (draft.text === null) return { findings: [], unchanged: active === null }
  const { parsed, findings } = ahead ?? parseDraft(draft)
  if (parsed === null || parsed.hints.renamedFrom !== undefined || parsed.hints.breaking !== undefined)
    return { findings, unchanged: false }
  // Reporting whether a guess equals the hidden content would reveal its value.
  if (!isIdVisible(draft.id, viewer)) return { findings, unchanged: false }
  const digest = componentDigest(
    normaliseComponent(parsed.component, reader.generations.view(generation)),
    sha256,
  )
  return { findings, unchanged: digest === active }
}
