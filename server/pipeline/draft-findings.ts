// Findings about whose drafts a change list takes and leaves out, and about the rights that they would give their own
// authors.
import type { Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { FindingCode } from '#kernel/errors/finding-codes.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import type { SkippedDraft } from './change-source.ts'
import { isOwnDraft } from './draft-access.ts'
import { gainedRightsOf } from '../access/index.ts'

export interface DraftSelection {
  includedDrafts: readonly DraftRow[]
  /** Drafts of other users that the caller sees and did not request. */
  skippedDrafts: readonly SkippedDraft[]
  changes: readonly Change[]
}

/** Maximum number of names that one finding lists. */
const maxNames = 5

export function draftFindings(
  reader: Pick<OrgReader, 'people'>,
  actor: string,
  { includedDrafts, skippedDrafts, changes }: DraftSelection,
): Finding[] {
  const byId = new Map(includedDrafts.map((draft) => [draft.id, draft]))
  const changed = byId.size === 0 ? [] : changes.filter(({ id }) => byId.has(id))
  return [
    ...changed.flatMap((change) => gainedRightsFindings(reader, byId.get(change.id)!, change)),
    ...includedDrafts.filter((draft) => !isOwnDraft(draft, actor)).map(authorship),
    ...skippedDraftFindings(skippedDrafts),
  ]
}

function authorship({ id, author, changedBy, writers }: DraftRow): Finding {
  const others = usersOf(writers).filter((user) => user !== author && user !== changedBy)
  const between = others.length === 0 ? '' : ` ${others.join(', ')} changed it.`
  const changed = between + (changedBy === author ? '' : ` ${changedBy} changed it last.`)
  return finding('info', 'draft.author', id, `The draft of ${id} is by ${author}.${changed}`)
}

function skippedDraftFindings(skipped: readonly SkippedDraft[]): Finding[] {
  const [first] = skipped
  if (first === undefined) return []
  const names = skipped.slice(0, maxNames).map(({ id, author }) => `${id} (${author})`)
  const more = skipped.length > maxNames ? `, and ${skipped.length - maxNames} more` : ''
  const what =
    skipped.length === 1 ? 'One draft of another user was' : `${skipped.length} drafts of other users were`
  const message = `${what} not included: ${names.join(', ')}${more}. Name them to include them; on the command line, --drafts all includes every draft.`
  return [finding('info', 'draft.left_out', first.id, message)]
}

/** An approver easily overlooks a draft that serves its author's own interest. */
function gainedRightsFindings(
  reader: Pick<OrgReader, 'people'>,
  { id, writers }: DraftRow,
  change: Change,
): Finding[] {
  const before = 'before' in change ? (change.before as Component) : undefined
  const after = 'after' in change ? (change.after as Component) : undefined
  return usersOf(writers).flatMap((user) => {
    const gained = gainedRightsOf(reader, user, before, after)
    if (gained.length === 0) return []
    const message = `The draft of ${id}, which ${user} wrote, gives ${user} new permissions: ${gained.join(', ')}. Apply it only if that is intended.`
    return [finding('warning', 'draft.grants_author', id, message)]
  })
}

function usersOf(writers: DraftRow['writers']): string[] {
  return [...new Set(writers.map(({ user }) => user))]
}

function finding(
  severity: Finding['severity'],
  code: FindingCode,
  component: ComponentId,
  message: string,
): Finding {
  return { severity, code, component, path: '', message, related: [] }
}
