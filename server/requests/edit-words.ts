// What an edit of a change request changed, in numbers: whoever approved it before learns how much is another (completions 4).
// Names are not told, for a reader may not see all of the list.
import type { ChangeRequestItem, ChangeRequestRow } from '../ports/change-request-store.ts'

type Terms = Pick<ChangeRequestRow, 'title' | 'rationale' | 'base' | 'applyOn'>
type Item = Pick<ChangeRequestItem, 'id' | 'text' | 'hints'>

export interface Revision {
  terms: Terms
  items: readonly Item[]
}

/** `one component changed, 2 taken out; another rationale`. */
export function editWords(before: Revision, after: Revision): string {
  const was = new Map(before.items.map((item) => [item.id, contentOf(item)]))
  const is = new Map(after.items.map((item) => [item.id, contentOf(item)]))
  const of = (some: Iterable<[string, string]>, holds: (id: string, content: string) => boolean): number =>
    [...some].filter(([id, content]) => holds(id, content)).length
  const counts = [
    [of(is, (id, content) => was.has(id as Item['id']) && was.get(id as Item['id']) !== content), 'changed'],
    [of(is, (id) => !was.has(id as Item['id'])), 'added'],
    [of(was, (id) => !is.has(id as Item['id'])), 'taken out'],
  ] as const
  const list = counts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`)
  const terms = [
    before.terms.rationale === after.terms.rationale ? '' : 'another rationale',
    before.terms.title === after.terms.title ? '' : 'another title',
    before.terms.applyOn === after.terms.applyOn ? '' : 'another date',
    before.terms.base === after.terms.base ? '' : `over generation ${after.terms.base}`,
  ]
  const told = [list.length === 0 ? '' : `Of its components ${list.join(', ')}`, ...terms].filter(Boolean)
  return told.join('; ')
}

function contentOf({ text, hints }: Item): string {
  return JSON.stringify([text, hints])
}
