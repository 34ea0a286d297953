// Needs between sets or flags, their entries, and the value sets that both use.
import type { Component, ComponentOf } from '../../components/body-types.ts'
import { componentId } from '../../components/component.ts'
import { explainValue } from '../../components/config-entry/values.ts'
import type { ConfigField } from '../../components/config-set/body.ts'
import { isFrozen } from '../../components/feature-flag/frozen.ts'
import { ownValue } from '../../components/own-value.ts'
import { valuesByKey } from '../../components/value-set/members.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'
import { isSameContent } from '../value-diff.ts'
import { displayName, type ChangeIndex } from './change-index.ts'
import type { FoundNeed } from './need.ts'

type Entry = ComponentOf<'config_entry'>
type Owner = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>

/** An added or changed entry needs the change to its set or flag that it uses. */
export function findOwnerNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  const entry = entryAfter(change) ?? entryBefore(change)
  if (entry === null) return []
  const owner = ground.ownerOf(entry.body.set)
  if (owner === undefined || owner.kind === 'removed') return []
  const need = (reason: string): FoundNeed[] => [{ id: owner.id, kind: 'of_set', reason, path: '/body/set' }]
  if (owner.kind === 'added')
    return need(`${displayName(change.id)} belongs to ${displayName(owner.id)}, which is new.`)
  if (owner.kind === 'renamed')
    return need(
      `${displayName(change.id)} belongs to ${displayName(owner.id)}, which gets that key in this change list.`,
    )
  const why = whyOwnerFirst(owner.before as Owner, owner.after as Owner, change, ground)
  return why === null
    ? []
    : need(
        `${displayName(change.id)} ${why}, which ${displayName(owner.id)} allows only once its change is applied.`,
      )
}

function whyOwnerFirst(before: Owner, after: Owner, change: Change, ground: ChangeIndex): string | null {
  if (before.type === 'feature_flag' && after.type === 'feature_flag' && isFrozen(before, ground.today))
    return isFrozen(after, ground.today) ? null : 'changes a flag that is frozen until it is extended'
  const entry = entryAfter(change)
  if (entry === null) return null
  if (!before.body.scopes.includes(entry.body.scope.kind)) return `is at the scope ${entry.body.scope.kind}`
  if (before.type !== 'config_set' || after.type !== 'config_set') return null
  if (keysMoved(before, after)) return 'uses the new key or dates of the set'
  const field = Object.keys(entry.body.values).find(
    (key) => fieldOf(after, key) !== undefined && !fits(fieldOf(before, key), entry, key, ground),
  )
  if (field !== undefined) return `has a value for ${field}`
  // A field that is no longer required can be omitted.
  const missing = before.body.fields.find(
    ({ key, required }) =>
      required && ownValue(entry.body.values, key) === undefined && fieldOf(after, key)?.required !== true,
  )
  return missing === undefined ? null : `omits ${missing.key}`
}

/** A set or flag needs the changes to its entries without which it would not be valid. */
export function findEntryNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  const before = beforeOf(change)
  if (before?.type !== 'config_set' && before?.type !== 'feature_flag') return []
  const after = afterOf(change) as Owner | null
  if (change.kind === 'renamed') return []
  return ground.entriesOf(before.key).flatMap((of): FoundNeed[] => {
    const why = after === null ? whyGone(of, before.key) : whyEntryFirst(before, after, of, ground)
    return why === null ? [] : [{ id: of.id, kind: 'of_set', reason: `${displayName(change.id)} ${why}` }]
  })
}

function whyGone(of: Change, set: string): string | null {
  const leaves = entryBefore(of)?.body.set === set && entryAfter(of)?.body.set !== set
  return leaves ? `is removed together with its entries, including ${displayName(of.id)}.` : null
}

/** Only existing entries hold back a set; new ones need the set themselves. */
function whyEntryFirst(before: Owner, after: Owner, of: Change, ground: ChangeIndex): string | null {
  const [was, is] = [entryBefore(of), entryAfter(of)]
  if (was === null || was.body.set !== before.key) return null
  if (!after.body.scopes.includes(was.body.scope.kind) && is?.body.scope.kind !== was.body.scope.kind)
    return `drops the scope ${was.body.scope.kind}, which ${displayName(of.id)} uses.`
  if (before.type !== 'config_set' || after.type !== 'config_set') return null
  if (keysMoved(before, after)) return `changes its key or dates, and ${displayName(of.id)} changes with it.`
  const missing = after.body.fields.find(
    ({ key, required }) => required && ownValue(was.body.values, key) === undefined,
  )
  if (missing !== undefined)
    return `requires ${missing.key}, and ${displayName(of.id)} has it only once its own change is applied.`
  const other = Object.keys(was.body.values).find((key) => !fits(fieldOf(after, key), was, key, ground))
  return other === undefined
    ? null
    : `removes ${other} or changes its type, and ${displayName(of.id)} uses the old one until its own change is applied.`
}

/** An entry needs a value that its value set gains; a value set that loses a value needs the changes to its entries. */
export function findValueSetNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  const entry = entryAfter(change)
  if (entry !== null) return gainedValues(change, entry, ground)
  if (change.kind !== 'changed' || change.before.type !== 'value_set') return []
  return lostValues(change, ground)
}

function gainedValues(change: Change, entry: Entry, ground: ChangeIndex): FoundNeed[] {
  return valueSetUsesOf(entry, ground.view.get('config_set', entry.body.set)).flatMap(
    ({ value, valueSet, path }): FoundNeed[] => {
      const target = ground.changeOf(componentId('value_set', valueSet))
      if (target?.kind !== 'changed' || target.before.type !== 'value_set') return []
      if (valuesByKey(target.before).has(value)) return []
      const reason = `${displayName(change.id)} uses "${value}", which is added to ${displayName(target.id)} by another change.`
      return [{ id: target.id, kind: 'value', reason, path }]
    },
  )
}

function lostValues(change: Extract<Change, { kind: 'changed' }>, ground: ChangeIndex): FoundNeed[] {
  const [before, after] = [change.before, change.after]
  if (before.type !== 'value_set' || after.type !== 'value_set') return []
  const lost = new Set([...valuesByKey(before).keys()].filter((key) => !valuesByKey(after).has(key)))
  if (lost.size === 0) return []
  const sets = [...ground.baseReferencesTo(change.id)].flatMap(({ from }) =>
    from.startsWith('config_set/') ? [from.slice('config_set/'.length)] : [],
  )
  return [...new Set(sets)].flatMap((set) =>
    ground.entriesOf(set).flatMap((of): FoundNeed[] => {
      const [was, is] = [entryBefore(of), entryAfter(of)]
      const uses = (entry: Entry | null): boolean =>
        entry !== null &&
        valueSetUsesOf(entry, ground.base?.get('config_set', set)).some(
          ({ value, valueSet }) => valueSet === before.key && lost.has(value),
        )
      if (!uses(was) || uses(is)) return []
      const reason = `${displayName(change.id)} removes a value that ${displayName(of.id)} uses until its own change is applied.`
      return [{ id: of.id, kind: 'value', reason }]
    }),
  )
}

/** A set takes the former key of a flag, or vice versa. */
export function findKeyHolderNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  return [...takesRenamedKey(change, ground), ...takesSharedKey(change, ground)]
}

/** In a swap or a chain of renames, the component that has the key until it is renamed itself. */
function takesRenamedKey(change: Change, ground: ChangeIndex): FoundNeed[] {
  const holder = change.kind === 'renamed' ? ground.changeOfBase(change.id) : undefined
  if (holder === undefined || holder.id === change.id) return []
  const reason = `${displayName(change.id)} takes the key of a component that is renamed to ${displayName(holder.id)}.`
  return [{ id: holder.id, kind: 'takes_key', reason }]
}

function takesSharedKey(change: Change, ground: ChangeIndex): FoundNeed[] {
  const after = afterOf(change)
  if (change.kind === 'changed' || (after?.type !== 'config_set' && after?.type !== 'feature_flag')) return []
  const other = componentId(after.type === 'config_set' ? 'feature_flag' : 'config_set', after.key)
  const holder = ground.changeOfBase(other)
  if (holder === undefined || (holder.kind !== 'removed' && holder.id === other)) return []
  const reason = `${displayName(change.id)} takes the key of ${displayName(other)}, which is removed or renamed.`
  return [{ id: holder.id, kind: 'takes_key', reason }]
}

/** A singleton set that is read must have an org entry; if the list adds it, the reader needs it. */
export function findOrgEntryNeeds(change: Change, ground: ChangeIndex): FoundNeed[] {
  return ground.edgesOf(change).flatMap(({ to, origin, path }): FoundNeed[] => {
    if (origin !== 'expression' || !to.startsWith('config_set/')) return []
    const key = to.slice('config_set/'.length)
    if (ground.view.get('config_set', key)?.body.cardinality !== 'singleton') return []
    for (const entry of ground.base?.entriesAt(key, null) ?? [])
      if (entry.body.scope.kind === 'org') return []
    return ground.entriesOf(key).flatMap((of): FoundNeed[] => {
      if (entryAfter(of)?.body.scope.kind !== 'org') return []
      const reason = `${displayName(change.id)} reads ${displayName(to)}, whose org entry is ${displayName(of.id)}.`
      return [{ id: of.id, kind: 'org_entry', reason, path }]
    })
  })
}

function entryAfter(change: Change): Entry | null {
  const after = afterOf(change) as Component | null
  return after?.type === 'config_entry' ? after : null
}

function entryBefore(change: Change): Entry | null {
  const before = beforeOf(change) as Component | null
  return before?.type === 'config_entry' ? before : null
}

interface ValueSetUse {
  value: string
  valueSet: string
  path: string
}

/** The values that an entry takes from value sets: enum fields, and an enum business key. */
function valueSetUsesOf({ body }: Entry, set: ComponentOf<'config_set'> | undefined): ValueSetUse[] {
  if (set === undefined) return []
  const ofKey =
    set.body.keyedBy?.valueSet === undefined || body.key === undefined
      ? []
      : [{ value: body.key, valueSet: set.body.keyedBy.valueSet, path: '/body/key' }]
  const ofFields = set.body.fields.flatMap(({ key, valueSet }) => {
    const value = ownValue(body.values, key)
    return valueSet === undefined || typeof value !== 'string'
      ? []
      : [{ value, valueSet, path: `/body/values/${key}` }]
  })
  return [...ofKey, ...ofFields]
}

function fieldOf({ body }: ComponentOf<'config_set'>, key: string): ConfigField | undefined {
  return body.fields.find((field) => field.key === key)
}

/** Reports whether the value has the type of the field, without checking value sets. */
function fits(field: ConfigField | undefined, entry: Entry, key: string, { view }: ChangeIndex): boolean {
  const value = ownValue(entry.body.values, key)
  if (field === undefined || value == null) return value == null
  if (field.type === 'enum') return typeof value === 'string'
  return explainValue(field, value, view) === null
}

function keysMoved({ body: a }: ComponentOf<'config_set'>, { body: b }: ComponentOf<'config_set'>): boolean {
  return (
    a.cardinality !== b.cardinality ||
    a.effectiveDated !== b.effectiveDated ||
    !isSameContent(a.keyedBy, b.keyedBy)
  )
}
