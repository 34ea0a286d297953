// Describes in numbers what an edit changed in a change request, so that earlier approvers learn how much changed
// (docs/reference/pipeline-and-approvals.md). Names are omitted, because a reader may be unable to see all of the list.
import type { ChangeRequestItem, ChangeRequestRow } from '../ports/change-requests.ts'

type Terms = Pick<ChangeRequestRow, 'title' | 'rationale' | 'base' | 'applyOn'>
type Item = Pick<ChangeRequestItem, 'id' | 'text' | 'hints'>

export interface Revision {
  terms: Terms
  items: readonly Item[]
}

/** `Components: 1 changed, 2 dropped; new rationale`. */
export function describeEdit(before: Revision, after: Revision): string {
  const was = new Map(before.items.map((item) => [item.id, contentOf(item)]))
  const is = new Map(after.items.map((item) => [item.id, contentOf(item)]))
  const of = (some: Iterable<[string, string]>, holds: (id: string, content: string) => boolean): number =>
    [...some].filter(([id, content]) => holds(id, content)).length
  const counts = [
    [of(is, (id, content) => was.has(id as Item['id']) && was.get(id as Item['id']) !== content), 'changed'],
    [of(is, (id) => !was.has(id as Item['id'])), 'added'],
    [of(was, (id) => !is.has(id as Item['id'])), 'dropped'],
  ] as const
  const list = counts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`)
  const terms = [
    before.terms.rationale === after.terms.rationale ? '' : 'new rationale',
    before.terms.title === after.terms.title ? '' : 'new title',
    before.terms.applyOn === after.terms.applyOn ? '' : 'new date',
    before.terms.base === after.terms.base ? '' : `now based on generation ${after.terms.base}`,
  ]
  const parts = [list.length === 0 ? '' : `Components: ${list.join(', ')}`, ...terms].filter(Boolean)
  return parts.join('; ')
}

function contentOf({ text, hints }: Item): string {
  return JSON.stringify([text, hints])
}
