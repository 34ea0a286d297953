// A change in words, as a change request reads (studio: Review): what, before, after, since when.
import type { ComponentOf } from '../components/body-types.ts'
import { splitId } from '../components/component.ts'
import { roomOf } from '../components/registry.ts'
import { scopeName, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import { formatLongDate, previousDay } from '../dates/civil-date.ts'
import type { JsonValue } from './canonical.ts'
import { afterOf, beforeOf, type Change } from './change.ts'
import type { ValueChange } from './value-diff.ts'

export interface ChangeWords {
  /** `vat_rate, DE, org`. */
  title: string
  /** `none` where nothing was there. */
  before: string
  /** `none` where nothing is left. */
  after: string
  /** `from 1 Jan 2027`, `at once`. */
  takesEffect: string
}

type Entry = ComponentOf<'config_entry'>

/** `view` is the candidate, or the base for a removed component; it gives the labels of sets and fields. */
export function changeWords(change: Change, view: ComponentView): ChangeWords {
  const before = beforeOf(change)
  const after = afterOf(change)
  const shown = after ?? before!
  if (shown.type === 'config_entry')
    return entryWords(change, before as Entry | null, after as Entry | null, view)
  const title = `${roomOf(shown.type).title} ${shown.label === '' ? shown.key : shown.label}`
  if (change.kind === 'added') return { title, before: 'none', after: 'new', takesEffect: 'at once' }
  if (change.kind === 'removed') return { title, before: shown.key, after: 'removed', takesEffect: 'at once' }
  if (change.kind === 'renamed')
    return { title, before: splitId(change.from).key, after: splitId(change.id).key, takesEffect: 'at once' }
  return { title: `${title}, ${placesOf(change.values)}`, ...valuesOf(change.values), takesEffect: 'at once' }
}

function entryWords(
  change: Change,
  before: Entry | null,
  after: Entry | null,
  view: ComponentView,
): ChangeWords {
  const shown = (after ?? before)!
  const title = entryTitle(shown, view)
  const from = after?.body.effectiveFrom ?? before?.body.effectiveFrom
  const takesEffect = from === undefined ? 'at once' : `from ${formatLongDate(from)}`
  if (change.kind === 'renamed')
    return { title, before: before!.key, after: after!.key, takesEffect: 'at once' }
  if (before === null) return { title, before: 'none', after: valuesText(after!, view), takesEffect }
  if (after === null) return { title, before: valuesText(before, view), after: 'removed', takesEffect }
  return changedEntry(title, before, after, view, takesEffect)
}

function changedEntry(
  title: string,
  before: Entry,
  after: Entry,
  view: ComponentView,
  takesEffect: string,
): ChangeWords {
  const values = [valuesText(before, view), valuesText(after, view)] as const
  if (values[0] !== values[1]) return { title, before: values[0], after: values[1], takesEffect }
  const ends = [lastDay(before), lastDay(after)] as const
  if (ends[0] !== ends[1])
    return { title: `${title}, last day of ${values[1]}`, before: ends[0], after: ends[1], takesEffect }
  const starts = [before.body.effectiveFrom ?? 'always', after.body.effectiveFrom ?? 'always'] as const
  if (starts[0] !== starts[1])
    return { title: `${title}, first day of ${values[1]}`, before: starts[0], after: starts[1], takesEffect }
  const scopes = [scopeWords(before.body.scope), scopeWords(after.body.scope)] as const
  if (scopes[0] !== scopes[1])
    return { title: `${title}, scope of ${values[1]}`, before: scopes[0], after: scopes[1], takesEffect }
  if (before.label !== after.label)
    return { title: `${title}, label`, before: before.label, after: after.label, takesEffect: 'at once' }
  return { title, before: values[0], after: values[1], takesEffect }
}

/** `vat_rate, DE, org`: the set's label, the business key, the scope. */
export function entryTitle({ body }: Entry, view: ComponentView): string {
  const owner = view.get('config_set', body.set) ?? view.get('feature_flag', body.set)
  const label = owner === undefined || owner.label === '' ? body.set : owner.label
  return [label, body.key, scopeWords(body.scope)].filter((part) => part !== undefined).join(', ')
}

/** `org`, `environment prod`, `permission set tax_team`. */
export function scopeWords(scope: Scope): string {
  return scope.kind === 'org' ? 'org' : `${scope.kind.replace('_', ' ')} ${scopeName(scope)}`
}

/** `0.1900, EUR`, in the order of the set's fields; names stand before the values where there are more than two. */
function valuesText({ body }: Entry, view: ComponentView): string {
  const order = view.get('config_set', body.set)?.body.fields.map(({ key }) => key) ?? []
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const named = Object.entries(body.values).sort(([a], [b]) => place(a) - place(b))
  if (named.length === 0) return 'no values'
  const text = ([name, value]: [string, unknown]): string =>
    named.length > 2 ? `${name} ${String(value)}` : String(value)
  return named.map(text).join(', ')
}

function lastDay({ body }: Entry): string {
  return body.effectiveTo == null ? 'open' : formatLongDate(previousDay(body.effectiveTo))
}

function placesOf(values: readonly ValueChange[]): string {
  const [first] = values
  if (first === undefined) return 'nothing'
  const place = first.path
    .replace(/^\/body\//, '')
    .replace(/^\//, '')
    .replaceAll('/', '.')
  return values.length === 1 ? place : `${place} and ${values.length - 1} more`
}

function valuesOf(values: readonly ValueChange[]): { before: string; after: string } {
  const [first] = values
  return { before: valueText(first?.before), after: valueText(first?.after) }
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
