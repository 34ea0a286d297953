// Describes a change for a reviewer: what, before, after, effective from when.
import type { ComponentOf } from '../components/body-types.ts'
import type { ComponentType } from '../components/component.ts'
import { labelOfPlace } from '../components/place-words.ts'
import { roomOf } from '../components/registry.ts'
import { scopeName, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import { formatLongDate, previousDay, type CivilDate } from '../dates/civil-date.ts'
import type { JsonValue } from './canonical.ts'
import { afterOf, beforeOf, type Change } from './change.ts'
import { excerpts } from './excerpt.ts'
import { formatValue } from './format-value.ts'
import { describeJson, describeShape } from './shape-description.ts'
import { isSameContent, type ValueChange } from './value-diff.ts'

export interface ChangeDescription {
  /** `vat_rate, DE, org`. */
  title: string
  /** `none` if it did not exist. */
  before: string
  /** `none` if nothing is left. */
  after: string
  /** `from 1 Jan 2027`, `from 1 Jan 2027 to 31 Dec 2027` of an entry that is added or removed, `immediately`. */
  takesEffect: string
}

type Entry = ComponentOf<'config_entry'>

/** The maximum number of places that are listed; the rest is shown as a count. */
const maxListedPlaces = 4

/** `view` is the candidate, or the base for a removed component; it gives the labels of sets and fields. */
export function describeChange(change: Change, view: ComponentView): ChangeDescription {
  const before = beforeOf(change)
  const after = afterOf(change)
  const component = after ?? before!
  if (component.type === 'config_entry')
    return entryWords(before as Entry | null, after as Entry | null, view)
  const title = `${roomOf(component.type).title} ${component.label === '' ? component.key : component.label}`
  if (change.kind === 'added')
    return { title, before: 'none', after: describeShape(component), takesEffect: 'immediately' }
  if (change.kind === 'removed')
    return { title, before: component.key, after: 'removed', takesEffect: 'immediately' }
  // The key first: it is the subject of a rename.
  const values = movedNames(change.values).sort(
    (a, b) => Number(b.path === '/key') - Number(a.path === '/key'),
  )
  const where =
    change.kind === 'renamed' && values.length === 1 ? title : `${title}, ${placesOf(component.type, values)}`
  return { title: where, ...valuesOf(values, component.type === 'feature_flag'), takesEffect: 'immediately' }
}

function entryWords(before: Entry | null, after: Entry | null, view: ComponentView): ChangeDescription {
  const title = entryTitle((after ?? before)!, view)
  // For an added or removed entry, show both ends of its range.
  const takesEffect =
    before === null || after === null ? daysOf((after ?? before)!) : effect(firstDayMoved(before, after))
  if (before === null) return { title, before: 'none', after: valuesText(after!, view), takesEffect }
  if (after === null) return { title, before: valuesText(before, view), after: 'removed', takesEffect }
  const aspects = aspectsOf(before, after, view)
  const [only] = aspects
  if (only === undefined) return { title, before: before.key, after: after.key, takesEffect: 'immediately' }
  if (aspects.length === 1) {
    if (only.alone === undefined) return { title, before: only.before, after: only.after, takesEffect }
    return {
      title: `${title}, ${only.alone}`,
      before: bare(only.before),
      after: bare(only.after),
      takesEffect,
    }
  }
  const joinAspects = (side: 'before' | 'after'): string => aspects.map((aspect) => aspect[side]).join('; ')
  return { title, before: joinAspects('before'), after: joinAspects('after'), takesEffect }
}

/** One thing in which two versions of an entry differ. */
interface Aspect {
  before: string
  after: string
  /** The text after the title if this is the only aspect. */
  alone?: string
}

/** Returns everything that differs, not only the first. */
function aspectsOf(before: Entry, after: Entry, view: ComponentView): Aspect[] {
  const value = valuesText(after, view)
  const pair = (of: (entry: Entry) => string, alone?: string): Aspect[] => {
    const [left, right] = [of(before), of(after)]
    return left === right ? [] : [{ ...excerpts(left, right), alone }]
  }
  return [
    ...(slugOf(before) === slugOf(after) ? [] : pair(({ key }) => `key ${key}`, 'key')),
    ...pair(({ body }) => body.key ?? 'no key', `business key of ${value}`),
    // In the same order, even if the set had a different key before.
    ...pair(({ body }) =>
      describeValues(view.has('config_set', body.set) ? body.set : after.body.set, body.values, view),
    ),
    ...pair(({ body }) => describeScope(body.scope), `scope of ${value}`),
    ...pair(({ body }) => `priority ${body.priority ?? 'none'}`, `priority of ${value}`),
    ...pair(firstDay, `first day of ${value}`),
    ...pair(lastDay, `last day of ${value}`),
    ...pair(({ label }) => `label ${label}`, 'label'),
    // Last: a renamed set changes no value.
    ...pair(({ body }) => `set ${body.set}`, 'set'),
  ]
}

function slugOf({ key, body }: Entry): string {
  return key.slice(body.set.length + 1)
}

/** Removes the first word of `from 1 Jan 2007` and `to 31 Dec 2026`, which the title already contains. */
function bare(text: string): string {
  return text.replace(/^(key|label|priority|set|from|to) /, '')
}

/** Returns the first day with a different value; null if no day differs, `always` if days do not matter. */
function firstDayMoved(before: Entry | null, after: Entry | null): CivilDate | 'always' | null {
  const starts = [before, after].flatMap((entry) => (entry === null ? [] : [entry.body.effectiveFrom]))
  if (before === null || after === null || !sameAnswer(before, after)) return earliest(starts)
  const [was, is] = [before.body, after.body]
  if (was.effectiveFrom !== is.effectiveFrom) return earliest(starts)
  if ((was.effectiveTo ?? null) !== (is.effectiveTo ?? null))
    return earliest([was.effectiveTo, is.effectiveTo].filter((end) => end != null))
  return null
}

function sameAnswer({ body: a }: Entry, { body: b }: Entry): boolean {
  const answer = ({ key, scope, priority, values }: Entry['body']): unknown => [key, scope, priority, values]
  return isSameContent(answer(a), answer(b))
}

function earliest(dates: readonly (CivilDate | undefined)[]): CivilDate | 'always' {
  const [first] = dates.flatMap((date) => (date === undefined ? [] : [date])).sort()
  return first === undefined || dates.includes(undefined) ? 'always' : first
}

function effect(day: CivilDate | 'always' | null): string {
  return day === null || day === 'always' ? 'immediately' : `from ${formatLongDate(day)}`
}

/** `from 1 Jan 2027 to 31 Dec 2027`, or without the end if it is open. */
function daysOf(entry: Entry): string {
  const { effectiveFrom, effectiveTo } = entry.body
  if (effectiveFrom === undefined) return 'immediately'
  return effectiveTo == null ? firstDay(entry) : `${firstDay(entry)} ${lastDay(entry)}`
}

/** `vat_rate, DE, org`: the set's label, the business key, the scope. */
export function entryTitle({ body }: Entry, view: ComponentView): string {
  const parts = [setLabel(body.set, view), body.key, describeScope(body.scope)]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** Returns the display name of a set or flag. */
export function setLabel(set: string, view: ComponentView): string {
  const owner = view.get('config_set', set) ?? view.get('feature_flag', set)
  return owner === undefined || owner.label === '' ? set : owner.label
}

/** `org`, `environment prod`, `permission set tax_team`. */
export function describeScope(scope: Scope): string {
  return scope.kind === 'org' ? 'org' : `${scope.kind.replace('_', ' ')} ${scopeName(scope)}`
}

/** `0.1900, EUR`, in the order of the set's fields; with names before the values if there are more than two. */
function valuesText({ body }: Entry, view: ComponentView): string {
  return describeValues(body.set, body.values, view)
}

/** Returns the values of a row as text. */
export function describeValues(set: string, values: Entry['body']['values'], view: ComponentView): string {
  const order = view.get('config_set', set)?.body.fields.map(({ key }) => key) ?? []
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const named = Object.entries(values).sort(([a], [b]) => place(a) - place(b))
  if (named.length === 0) return 'no values'
  const isFlag = !view.has('config_set', set) && view.has('feature_flag', set)
  const text = ([name, value]: [string, unknown]): string =>
    named.length > 2 ? `${name} ${formatValue(value, isFlag)}` : formatValue(value, isFlag)
  return named.map(text).join(', ')
}

function firstDay({ body }: Entry): string {
  return body.effectiveFrom === undefined ? 'always' : `from ${formatLongDate(body.effectiveFrom)}`
}

function lastDay({ body }: Entry): string {
  return body.effectiveTo == null ? 'open' : `to ${formatLongDate(previousDay(body.effectiveTo))}`
}

function placesOf(type: ComponentType, values: readonly ValueChange[]): string {
  const places = values.slice(0, maxListedPlaces).map(({ path, reordered }) => {
    const place = labelOfPlace(type, path)
    return reordered === true ? `order of ${place}` : place
  })
  return places.length === 0 ? 'nothing' : `${places.join('; ')}${rest(values)}`
}

function valuesOf(values: readonly ValueChange[], ofFlag: boolean): { before: string; after: string } {
  const text = (value: ValueChange, side: 'before' | 'after'): string =>
    value.reordered === true
      ? orderText(value[side])
      : valueText(value[side], ofFlag && value.path === '/body/default')
  const pairs = values
    .slice(0, maxListedPlaces)
    .map((value) => excerpts(text(value, 'before'), text(value, 'after')))
  const side = (name: 'before' | 'after'): string => pairs.map((pair) => pair[name]).join('; ') + rest(values)
  return { before: side('before'), after: side('after') }
}

function rest(values: readonly unknown[]): string {
  return values.length > maxListedPlaces ? ` and ${values.length - maxListedPlaces} more` : ''
}

/** Treats a removed property and an added one with the same value as a rename, as for a renamed grant. */
function movedNames(values: readonly ValueChange[]): ValueChange[] {
  const remaining = [...values]
  return values.flatMap((value): ValueChange[] => {
    if (!remaining.includes(value)) return []
    remaining.splice(remaining.indexOf(value), 1)
    const [parent, name] = split(value.path)
    const other = remaining.findIndex((each) => split(each.path)[0] === parent && isSwap(value, each))
    if (parent === '/body' || other < 0) return [value]
    const [, otherName] = split(remaining.splice(other, 1)[0]!.path)
    const [before, after] = value.after === undefined ? [name, otherName] : [otherName, name]
    return [{ path: parent, before, after }]
  })
}

function isSwap(a: ValueChange, b: ValueChange): boolean {
  if (
    (a.before === undefined) === (b.before === undefined) ||
    (a.after === undefined) === (b.after === undefined)
  )
    return false
  return isSameContent(a.before ?? a.after, b.before ?? b.after)
}

function split(path: string): [parent: string, name: string] {
  const at = path.lastIndexOf('/')
  return [path.slice(0, at), path.slice(at + 1)]
}

/** `rate, note`, the keys of the items in their order. */
function orderText(keys: JsonValue | undefined): string {
  return (keys as string[]).join(', ')
}

function valueText(value: JsonValue | undefined, isFlag: boolean): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value !== 'object') return formatValue(value, isFlag)
  return describeJson(value)
}
