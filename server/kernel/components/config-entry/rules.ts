// Rules for a single entry and its set or flag (docs/reference/resolution-and-dates.md). See config-set/coverage.ts for
// the rules over all entries of a key.
import { formatLongDate, previousDay } from '../../dates/civil-date.ts'
import type { Finding } from '../../errors/finding.ts'
import { didYouMean } from '../../errors/suggest.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Rule, RuleContext } from '../define.ts'
import { pointer } from '../pointer.ts'
import { explainUser } from '../principals.ts'
import { errorFinding, joinWithOr, warningFinding } from '../report.ts'
import type { ComponentView } from '../view.ts'
import { explainBusinessKey } from './business-key.ts'
import { frozenChange } from './frozen-change.ts'
import { ownValue } from '../own-value.ts'
import { valuesByKey } from '../value-set/members.ts'
import { explainValue } from './values.ts'

type Entry = ComponentOf<'config_entry'>
type EntryRule = Rule<'config_entry'>
type SetRule = (entry: Entry, set: ComponentOf<'config_set'>, context: RuleContext) => Finding[]

const ofSet =
  (rule: SetRule): EntryRule =>
  (entry, context) => {
    const set = context.view.get('config_set', entry.body.set)
    return set === undefined ? [] : rule(entry, set, context)
  }

const setExists: EntryRule = (entry, { view }) => {
  const { set } = entry.body
  if (view.has('config_set', set) || view.has('feature_flag', set)) return []
  const near = didYouMean(set, [...view.keys('config_set'), ...view.keys('feature_flag')])
  return [
    errorFinding(
      entry,
      '/body/set',
      'config.set_missing',
      `The configuration set or flag "${set}" does not exist.${near}`,
    ),
  ]
}

const keyBelongsToSet: EntryRule = (entry) => {
  const { set } = entry.body
  if (entry.key.startsWith(`${set}.`)) return []
  const slug = entry.key.slice(entry.key.indexOf('.') + 1)
  return [
    errorFinding(
      entry,
      '/key',
      'key.entry_set',
      `The key of an entry of ${set} must start with "${set}.": write "${set}.${slug}".`,
    ),
  ]
}

const scopeDeclared: EntryRule = (entry, { view }) => {
  const { set: key, scope } = entry.body
  const target = view.get('config_set', key) ?? view.get('feature_flag', key)
  if (target === undefined || target.body.scopes.includes(scope.kind)) return []
  const message =
    `${key} does not declare the scope kind "${scope.kind}"; its chain is ${target.body.scopes.join(', ')}. ` +
    `Add "${scope.kind}" to its scopes, or move the entry to ${joinWithOr(target.body.scopes)}.`
  const related = [{ component: idOf(target), path: '/body/scopes' }]
  return [
    errorFinding(entry, '/body/scope/kind', 'config.scope_not_declared', message, {
      related,
      facts: { kind: scope.kind },
    }),
  ]
}

const userIsLive: EntryRule = (entry, { principals }) => {
  const { scope } = entry.body
  const reason = scope.kind === 'user' ? explainUser(scope.user, principals) : null
  return reason === null ? [] : [warningFinding(entry, '/body/scope/user', 'config.scope_user', reason)]
}

const priority: EntryRule = (entry) => {
  const { scope, priority } = entry.body
  if (scope.kind === 'permission_set' && priority === undefined) {
    const message = `An entry at a permission set needs a priority, because a user can have several permission sets; the highest priority wins. Add a priority, such as 10.`
    return [errorFinding(entry, '/body', 'config.priority_missing', message)]
  }
  if (scope.kind !== 'permission_set' && priority !== undefined) {
    const message = `Priority applies only to permission sets, and this entry is at ${scope.kind}. Remove "priority".`
    return [errorFinding(entry, '/body/priority', 'config.priority_not_allowed', message)]
  }
  return []
}

const datesFollowSet = ofSet((entry, set) => {
  const { effectiveFrom, effectiveTo } = entry.body
  if (set.body.effectiveDated) {
    if (effectiveFrom !== undefined) return []
    const message = `${set.key} is effective-dated, so each entry needs a first day. Add "effectiveFrom", such as 2025-01-01.`
    return [errorFinding(entry, '/body', 'config.dates_required', message)]
  }
  return datesNotAllowed(entry, set.key, effectiveFrom, effectiveTo)
})

function datesNotAllowed(entry: Entry, target: string, from: unknown, to: unknown): Finding[] {
  return (['effectiveFrom', 'effectiveTo'] as const)
    .filter((property) => (property === 'effectiveFrom' ? from : to) != null)
    .map((property) => {
      const message = `${target} is not effective-dated, so its entries cannot have dates. Remove "${property}", or make a set effective-dated.`
      return errorFinding(entry, pointer('body', property), 'config.dates_not_allowed', message)
    })
}

const rangeHasDays: EntryRule = (entry) => {
  const { effectiveFrom: from, effectiveTo: to } = entry.body
  if (from === undefined || to == null || from < to) return []
  const message =
    `The last day${to > '0001-01-01' ? `, ${formatLongDate(previousDay(to))},` : ''} is before the first day, ` +
    `${formatLongDate(from)}, so the entry is never effective. Choose a later last day, or no end.`
  return [errorFinding(entry, '/body/effectiveTo', 'config.range_empty', message)]
}

const businessKey = ofSet((entry, set, { view }) => {
  const { key } = entry.body
  const { keyedBy, cardinality } = set.body
  if (cardinality === 'singleton') {
    const message = `${set.key} is a singleton, so its entries cannot have a business key. Remove "key".`
    return key === undefined ? [] : [errorFinding(entry, '/body/key', 'config.key_not_allowed', message)]
  }
  if (key === undefined) {
    const name = keyedBy?.key ?? 'key'
    const message = `${set.key} is keyed by ${name}, so each entry needs a key. Add "key" with the ${name} of this row.`
    return [errorFinding(entry, '/body', 'config.key_missing', message)]
  }
  const reason = keyedBy === undefined ? null : explainBusinessKey(keyedBy, key, view)
  if (reason !== null) return [errorFinding(entry, '/body/key', 'config.key_type', reason)]
  return [...unseenIn(entry, key), ...inactiveKey(entry, key, keyedBy, view)]
})

/** Warns about a key that is no longer active in its value set; existing entries keep it. */
function inactiveKey(
  entry: Entry,
  key: string,
  keyedBy: { key: string; type: string; valueSet?: string } | undefined,
  view: ComponentView,
): Finding[] {
  const valueSet = keyedBy?.valueSet === undefined ? undefined : view.get('value_set', keyedBy.valueSet)
  if (valueSet === undefined || valuesByKey(valueSet).get(key)?.active !== false) return []
  const message = `${keyedBy!.key}: "${key}" is no longer active in the value set ${valueSet.key}.`
  return [warningFinding(entry, '/body/key', 'config.value_inactive', message)]
}

/** Invisible characters; joiners are allowed, because some scripts need them. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const joiners = new Set(['\u200c', '\u200d'])

/** Warns about a key that only looks like an existing key: it is a separate key, which nothing resolves. */
function unseenIn(entry: Entry, key: string): Finding[] {
  const invisibles = [...new Set(key.match(invisibleCharacters))].filter((mark) => !joiners.has(mark))
  if (invisibles.length === 0) return []
  const names = invisibles.map(
    (mark) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const message = `The business key contains invisible characters (${names.join(', ')}), so it can look like a different key. Type it again.`
  return [warningFinding(entry, '/body/key', 'config.key_unseen', message)]
}

const knownFields = ofSet((entry, set) => {
  const names = set.body.fields.map((field) => field.key)
  return Object.keys(entry.body.values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const message = `${set.key} has no field "${name}".${didYouMean(name, names) || ` It has ${joinWithOr(names)}.`}`
      return errorFinding(entry, pointer('body', 'values', name), 'config.value_unknown_field', message)
    })
})

const requiredFields = ofSet((entry, set) =>
  set.body.fields
    .filter((field) => field.required && ownValue(entry.body.values, field.key) == null)
    .map((field) => {
      const message = `${field.key} is required by ${set.key} but has no value. An entry gives the whole row, so add a value.`
      return errorFinding(entry, pointer('body', 'values', field.key), 'config.value_required', message)
    }),
)

const valuesFit = ofSet((entry, set, { view }) =>
  set.body.fields.flatMap((field) => {
    const value = ownValue(entry.body.values, field.key)
    const reason = value == null ? null : explainValue(field, value, view)
    if (reason === null) return []
    const say = reason.isWarning ? warningFinding : errorFinding
    return [say(entry, pointer('body', 'values', field.key), reason.code, reason.message)]
  }),
)

const flagEntryShape: EntryRule = (entry, { view }) => {
  if (!entersFlag(entry, view)) return []
  const { key, scope, values, effectiveFrom, effectiveTo, set } = entry.body
  const findings = datesNotAllowed(entry, `The flag ${set}`, effectiveFrom, effectiveTo)
  if (key !== undefined) {
    const message = `${set} is a flag, so its entries cannot have a business key. Remove "key".`
    findings.push(errorFinding(entry, '/body/key', 'config.key_not_allowed', message))
  }
  if (scope.kind === 'org') {
    const message = `The org value of the flag ${set} is its "default". Change that, and remove this entry.`
    findings.push(errorFinding(entry, '/body/scope', 'flag.org_entry', message))
  }
  for (const name of Object.keys(values).filter((name) => name !== 'value')) {
    const message = `${set} is a flag, so its entries have only "value", which is true or false. Remove "${name}".`
    findings.push(errorFinding(entry, pointer('body', 'values', name), 'config.value_unknown_field', message))
  }
  if (typeof values['value'] !== 'boolean') {
    const code = values['value'] == null ? 'config.value_required' : 'config.value_type'
    findings.push(
      errorFinding(entry, '/body/values/value', code, `${set} is a flag: its "value" must be true or false.`),
    )
  }
  return findings
}

function entersFlag(entry: Entry, view: ComponentView): boolean {
  return !view.has('config_set', entry.body.set) && view.has('feature_flag', entry.body.set)
}

export const configEntryRules: readonly EntryRule[] = [
  setExists,
  keyBelongsToSet,
  scopeDeclared,
  userIsLive,
  priority,
  datesFollowSet,
  rangeHasDays,
  businessKey,
  knownFields,
  requiredFields,
  valuesFit,
  flagEntryShape,
  frozenChange,
]
