// Rules for configuration sets beyond their schema (docs/reference/resolution-and-dates.md).
import type { Finding } from '../../errors/finding.ts'
import { didYouMean } from '../../errors/suggest.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { fieldShapeFindings } from '../field-shape.ts'
import { temporalFieldTypes } from '../field-types.ts'
import { objectFieldOf } from '../object/field-named.ts'
import { pointer } from '../pointer.ts'
import { errorFinding, joinWithOr } from '../report.ts'
import { unreadableKeyFindings } from '../unreadable-keys.ts'
import type { ComponentView } from '../view.ts'

type SetRule = Rule<'config_set'>

const keySpace: SetRule = (set, { view }) => {
  const flag = view.get('feature_flag', set.key)
  if (flag === undefined) return []
  const message = `A flag and a configuration set both have the key "${set.key}", but sets and flags share one key space. Rename one of them.`
  return [
    errorFinding(set, '/key', 'key.shared_space', message, {
      related: [{ component: idOf(flag), path: '/key' }],
    }),
  ]
}

const readable: SetRule = (set) => [
  ...unreadableKeyFindings(set, '/key', set.key, `config.${set.key}`),
  ...set.body.fields.flatMap(({ key }, at) =>
    unreadableKeyFindings(set, pointer('body', 'fields', at, 'key'), key, `config.${set.key}.${key}`),
  ),
]

const businessKey: SetRule = (set) => {
  const { cardinality, keyedBy } = set.body
  if (cardinality === 'keyed' && keyedBy === undefined) {
    const message = `${set.key} is keyed but has no business key. Add "keyedBy" with the name and type of the key, such as country and text.`
    return [errorFinding(set, '/body/keyedBy', 'config.keyed_by', message)]
  }
  if (cardinality === 'singleton' && keyedBy !== undefined) {
    const message = `${set.key} is a singleton, so it cannot have a business key. Remove "keyedBy", or make the cardinality keyed.`
    return [errorFinding(set, '/body/keyedBy', 'config.keyed_by', message)]
  }
  return keyedBy === undefined
    ? []
    : fieldShapeFindings(set, ['body', 'keyedBy'], numberless(keyedBy), 'config.field_shape')
}

/** A numeric business key has no declared precision, because it is compared by value. */
function numberless<K extends { type: string }>(keyedBy: K): K & { precision?: number; scale?: number } {
  return keyedBy.type === 'number' ? { ...keyedBy, precision: 1000, scale: 0 } : keyedBy
}

const chainHasOrg: SetRule = (set) =>
  set.body.scopes.includes('org')
    ? []
    : [errorFinding(set, '/body/scopes', 'config.org_scope_missing', missingOrgMessage(set.key))]

/** The message for a chain without org, of a set or a flag. */
export function missingOrgMessage(key: string): string {
  return `The scope chain of ${key} does not contain org, which everyone falls back to. Add org.`
}

const asOfFieldRule: SetRule = (set) => {
  const { effectiveDated, asOfField } = set.body
  if (effectiveDated && asOfField === undefined) {
    const message = `${set.key} is effective-dated but has no "asOfField". Add the date field that decides which row applies, such as "invoice.tax_date".`
    return [errorFinding(set, '/body/asOfField', 'config.as_of_required', message)]
  }
  if (!effectiveDated && asOfField !== undefined) {
    const message = `${set.key} is not effective-dated, so "asOfField" has no effect. Make the set effective-dated, or remove "asOfField".`
    return [errorFinding(set, '/body/asOfField', 'config.as_of_not_allowed', message)]
  }
  return []
}

const asOfFields: SetRule = (set, { view }) =>
  (set.body.asOfField ?? []).flatMap((path, index, all) => {
    const reason = explainAsOfField(path, view) ?? explainSecond(path, all.slice(0, index))
    return reason === null
      ? []
      : [errorFinding(set, pointer('body', 'asOfField', index), 'config.as_of_field', reason)]
  })

/** Returns null if the path is a required date or datetime field of an object; otherwise why not, and how to fix it. */
function explainAsOfField(path: string, view: ComponentView): string | null {
  const [objectKey = '', fieldKey, ...rest] = path.split('.')
  if (fieldKey === undefined || rest.length > 0)
    return `asOfField "${path}" is not <object>.<field>, for example "invoice.tax_date".`
  const object = view.get('object', objectKey)
  if (object === undefined)
    return `asOfField "${path}" is not valid: the object "${objectKey}" does not exist.${didYouMean(objectKey, view.keys('object'))}`
  const field = objectFieldOf(object, fieldKey)
  if (field === undefined) return `asOfField "${path}" is not valid.${missingFieldHint(object, fieldKey)}`
  if (!temporalFieldTypes.includes(field.type))
    return `asOfField "${path}" is not a date: it is of type ${field.type}. Choose a date or datetime field.`
  if (!field.required)
    return `asOfField "${path}" is not required, so a record could have no date. Make the field required, or choose a different field.`
  return null
}

/** Returns null if no earlier path is on the same object; otherwise it would be unclear which date applies. */
function explainSecond(path: string, earlier: readonly string[]): string | null {
  const objectOf = (each: string): string => each.slice(0, each.indexOf('.'))
  const first = earlier.find((each) => objectOf(each) === objectOf(path))
  return first === undefined
    ? null
    : `asOfField has two dates of ${objectOf(path)}: "${first}" and "${path}". Keep the one that decides which row applies to a record of ${objectOf(path)}.`
}

function missingFieldHint(object: ComponentOf<'object'>, fieldKey: string): string {
  const fields = object.body.fields
  const near = didYouMean(
    fieldKey,
    fields.map((field) => field.key),
  )
  if (near !== '') return near
  const temporal = fields.filter((field) => temporalFieldTypes.includes(field.type)).map((field) => field.key)
  const named = temporal.length === 0 ? 'has no date field' : `has ${joinWithOr(temporal)}`
  return ` ${object.key} has no field "${fieldKey}"; it ${named}.`
}

const fieldShapes: SetRule = (set) =>
  set.body.fields.flatMap((field, index) =>
    fieldShapeFindings(set, ['body', 'fields', index], field, 'config.field_shape'),
  )

const fieldKeys: SetRule = (set): Finding[] =>
  duplicateItemFindings(set, ['body', 'fields'], set.body.fields, 'key')

export const configSetRules: readonly SetRule[] = [
  keySpace,
  readable,
  businessKey,
  chainHasOrg,
  asOfFieldRule,
  asOfFields,
  fieldShapes,
  fieldKeys,
]
