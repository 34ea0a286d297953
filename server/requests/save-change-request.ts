// Saves a checked change list as a change request: a new one, or the next revision of an existing one, whose approvals
// are then void.
import { saltedDigest, type ChangeCounts, type Sha256 } from '#kernel/change/index.ts'
import { isSameContent } from '#kernel/change/value-diff.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Contributor } from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import {
  fileText,
  isSameWriter,
  writersOf,
  type ApplyRequest,
  type ChangeSource,
  type PendingChangeList,
  type ChangeRequestTerms,
} from '../pipeline/index.ts'
import type { ChangeRequestItem, ChangeRequestRow, ChangeRequestTargets } from '../ports/change-requests.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import { describeEdit, type Revision } from './edit-description.ts'
import { requireAction, requireRevision, recordTransition } from './request-transition.ts'
import { requestNotFoundError, renamedSets } from './request-visibility.ts'
import { personOf } from './person.ts'
import { summaryOf } from './summary.ts'

/** Maximum number of findings that are stored with a request; the request contains their total number. */
const maxFindings = 1000

export interface ChangeRequestSave {
  request: ApplyRequest
  list: PendingChangeList
  terms: ChangeRequestTerms
  newSalt: () => string
  sha256: Sha256
}

/** @throws AlmanacError conflict.exists, conflict.stale_plan, conflict.request_state, access.denied */
export function saveChangeRequest(
  transactor: OrgTransactor,
  by: Actor,
  at: string,
  save: ChangeRequestSave,
): void {
  const { list, terms } = save
  const before = terms.revision === null ? null : requireEditable(transactor, by, terms.id, terms.revision)
  const was = before === null ? {} : { before: summaryOf(transactor, before) }
  const items = [...itemsOf(list, writers(transactor, by, save, before))]
  const operator = by.operatorName ?? before?.operator ?? null
  const author: Contributor = { user: by.actor, operator: by.operatorName ?? null }
  const contributors = distinct(items.flatMap((item) => item.writers ?? [])).filter(
    (writer) => !isSameWriter(writer, author),
  )
  const row: ChangeRequestRow = {
    ...rowOf(save, before, at),
    ...{ operator, contributors, touches: touchesOf(items) },
  }
  if (before === null) refuseRepeated(transactor, row)
  const voided = before === null ? 0 : transactor.requests.voidApprovals(row.id, at)
  const kind = before === null ? 'created' : 'edited'
  const text = before === null ? '' : describeRevision(transactor, before, { terms: row, items })
  recordTransition(transactor, by, at, row, {
    ...{ kind, text, ...was },
    facts: { title: row.title, rationale: row.rationale },
  })
  transactor.requests.putItems(row.id, items)
  if (voided > 0)
    recordTransition(transactor, by, at, row, {
      kind: 'approvals_voided',
      text: voided === 1 ? 'one approval' : `${voided} approvals`,
    })
}

function describeRevision(
  transactor: Pick<OrgTransactor, 'requests'>,
  before: ChangeRequestRow,
  after: Revision,
): string {
  return describeEdit({ terms: before, items: [...transactor.requests.items(before.id)] }, after)
}

function requireEditable(
  transactor: OrgTransactor,
  { actor }: Actor,
  id: string,
  revision: number,
): ChangeRequestRow {
  const row = transactor.requests.get(id)
  if (row === undefined) throw requestNotFoundError(id)
  requireAction('edit', summaryOf(transactor, row), personOf(transactor, actor))
  requireRevision(row, { revision })
  return row
}

function rowOf(
  { request, list, terms, newSalt, sha256 }: ChangeRequestSave,
  before: ChangeRequestRow | null,
  at: string,
): Omit<ChangeRequestRow, 'touches' | 'operator' | 'contributors'> {
  const { source, actor, rationale = '' } = request
  const { loadedChanges, base, changeDigest, counts, findings } = list
  const salt = before?.salt ?? newSalt()
  return {
    id: terms.id,
    revision: (before?.revision ?? 0) + 1,
    state: 'open',
    title: terms.title === '' ? titleOf(source, rationale, counts) : terms.title,
    rationale,
    author: actor,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    ...{ digest: saltedDigest(changeDigest, salt, sha256), changeDigest, salt },
    ...{ base, counts },
    prune: loadedChanges.prune,
    rollbackTo:
      source.kind === 'generation'
        ? source.generation
        : source.kind === 'request'
          ? (before?.rollbackTo ?? null)
          : null,
    restoresFrom: loadedChanges.restoresFrom,
    proposedApprovals: null,
    applyOn: terms.applyOn,
    findings: errorsFirst(findings).slice(0, maxFindings),
    errors: findingsOfSeverity(findings, 'error').length,
    warnings: findingsOfSeverity(findings, 'warning').length,
    failure: null,
    generation: null,
  }
}

/** The same list can be submitted only once, even with a different title or rationale. The error names the first one. */
function refuseRepeated(
  transactor: Pick<OrgTransactor, 'requests'>,
  { author, changeDigest }: ChangeRequestRow,
): void {
  const waiting = transactor.requests.list({
    states: ['open', 'failed'],
    author,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const same = waiting.find((each) => each.changeDigest === changeDigest)
  if (same === undefined) return
  throw new AlmanacError(
    'conflict.exists',
    `${author} already submitted these changes as "${same.title}" (change request ${same.id}). Edit or withdraw that request.`,
    { details: [{ id: same.id, digest: same.digest }] },
  )
}

type Writers = ReadonlyMap<ComponentId, readonly Contributor[]>

/**
 * The writers of each item, unless the author of the request is the only one. An item keeps the writers of the same
 * body in earlier revisions.
 */
function writers(
  transactor: OrgTransactor,
  by: Actor,
  { list }: ChangeRequestSave,
  before: ChangeRequestRow | null,
): Writers {
  const author: Contributor = { user: by.actor, operator: by.operatorName ?? null }
  const writersById = writersOf(transactor, list.loadedChanges)
  const texts = textsOf(list)
  for (const item of before === null ? [] : transactor.requests.contributedTexts(before.id))
    if (item.writers !== null && hasSameBody(texts.get(item.id), item.text))
      writersById.set(item.id, distinct([...item.writers, ...(writersById.get(item.id) ?? [])]))
  return new Map([...writersById].filter(([, all]) => all.some((writer) => !isSameWriter(writer, author))))
}

/** Null if the list removes the component. */
function textsOf({ loadedChanges }: PendingChangeList): Map<ComponentId, string | null> {
  const texts = new Map<ComponentId, string | null>(loadedChanges.removals.map((id) => [id, null]))
  for (const { component } of loadedChanges.components) texts.set(idOf(component), fileText(component))
  return texts
}

/** Compares the files of two components; null if one is removed. */
function hasSameBody(text: string | null | undefined, other: string | null): boolean {
  if (text === undefined || text === null || other === null) return text === other
  const bodyOf = (file: string): unknown => (JSON.parse(file) as { body: unknown }).body
  return text === other || isSameContent(bodyOf(text), bodyOf(other))
}

function distinct(all: readonly Contributor[]): Contributor[] {
  return all.filter((writer, at) => all.findIndex((each) => isSameWriter(each, writer)) === at)
}

function* itemsOf({ loadedChanges }: PendingChangeList, writtenBy: Writers): Iterable<ChangeRequestItem> {
  const versions = new Map(loadedChanges.consumedDrafts.map(({ id, version }) => [id, version]))
  const sourceOf = (id: ComponentId): Pick<ChangeRequestItem, 'base' | 'draftVersion' | 'writers'> => ({
    base: loadedChanges.baseById.get(id) ?? null,
    draftVersion: versions.get(id) ?? null,
    writers: writtenBy.get(id) ?? null,
  })
  for (const { component, hints } of loadedChanges.components) {
    const id = idOf(component)
    yield {
      id,
      text: fileText(component),
      hints,
      ...sourceOf(id),
      restores: loadedChanges.restoredIdentities.get(id) ?? null,
    }
  }
  for (const id of loadedChanges.removals) {
    const hints = loadedChanges.confirmed.has(id) ? { breaking: true } : {}
    yield { id, text: null, hints, ...sourceOf(id), restores: null }
  }
}

function touchesOf(items: readonly ChangeRequestItem[]): ChangeRequestTargets {
  const sets = new Set<string>()
  let others = false
  for (const { id, hints } of items) {
    const { type, key } = splitId(id)
    const ofSets = type === 'config_entry' || type === 'config_set' || type === 'feature_flag'
    if (!ofSets) others = true
    else for (const each of [key, hints.renamedFrom ?? key]) sets.add(each.split('.')[0]!)
  }
  return { sets: [...sets].sort(), others, renamed: Object.fromEntries(renamedSets(items)) }
}

function titleOf(
  source: ChangeSource,
  rationale: string,
  { added, changed, renamed, removed }: ChangeCounts,
): string {
  const [first = ''] = rationale.trim().split('\n')
  if (first !== '')
    return first.length > 100 ? `${first.slice(0, 99).replace(/[\ud800-\udbff]$/, '')}…` : first
  if (source.kind === 'generation') return `Restore generation ${source.generation}`
  if (source.kind === 'revert') return `Revert generation ${source.generation}`
  const total = added + changed + renamed + removed
  return total === 1 ? 'One change' : `${total} changes`
}

function findingsOfSeverity(findings: readonly Finding[], severity: Finding['severity']): Finding[] {
  return findings.filter((finding) => finding.severity === severity)
}

function errorsFirst(findings: readonly Finding[]): Finding[] {
  return [
    ...findingsOfSeverity(findings, 'error'),
    ...findingsOfSeverity(findings, 'warning'),
    ...findingsOfSeverity(findings, 'info'),
  ]
}
