// What a configuration set must keep beyond its form (specification 2.2, 7; completions 2).
import type { Finding } from '../../errors/finding.ts'
import { didYouMean } from '../../errors/suggest.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Rule } from '../define.ts'
import { duplicateItems } from '../duplicates.ts'
import { fieldShapeFindings } from '../field-shape.ts'
import { temporalFieldTypes } from '../field-types.ts'
import { objectFieldOf } from '../members.ts'
import { pointer } from '../pointer.ts'
import { fault, oneOf } from '../report.ts'
import { unreadable } from '../unreadable.ts'
import type { ComponentView } from '../view.ts'

type SetRule = Rule<'config_set'>

const keySpace: SetRule = (set, { view }) => {
  const flag = view.get('feature_flag', set.key)
  if (flag === undefined) return []
  const message = `The flag and the configuration set "${set.key}" share one key, and sets and flags share one key space. Rename one of them.`
  return [
    fault(set, '/key', 'key.shared_space', message, { related: [{ component: idOf(flag), path: '/key' }] }),
  ]
}

const readable: SetRule = (set) => [
  ...unreadable(set, '/key', set.key, `config.${set.key}`),
  ...set.body.fields.flatMap(({ key }, at) =>
    unreadable(set, pointer('body', 'fields', at, 'key'), key, `config.${set.key}.${key}`),
  ),
]

const businessKey: SetRule = (set) => {
  const { cardinality, keyedBy } = set.body
  if (cardinality === 'keyed' && keyedBy === undefined) {
    const message = `${set.key} is keyed but does not say by what. Give the name and type of its business key, "keyedBy", such as country and text.`
    return [fault(set, '/body/keyedBy', 'config.keyed_by', message)]
  }
  if (cardinality === 'singleton' && keyedBy !== undefined) {
    const message = `${set.key} is a singleton, so it has no business key. Remove "keyedBy", or make the cardinality keyed.`
    return [fault(set, '/body/keyedBy', 'config.keyed_by', message)]
  }
  return keyedBy === undefined
    ? []
    : fieldShapeFindings(set, ['body', 'keyedBy'], numberless(keyedBy), 'config.field_shape')
}

/** A business key that is a number has no declared precision: it is compared by value. */
function numberless<K extends { type: string }>(keyedBy: K): K & { precision?: number; scale?: number } {
  return keyedBy.type === 'number' ? { ...keyedBy, precision: 1000, scale: 0 } : keyedBy
}

const chainHasOrg: SetRule = (set) =>
  set.body.scopes.includes('org')
    ? []
    : [fault(set, '/body/scopes', 'config.org_scope_missing', missingOrg(set.key))]

/** Also for flags: the base of every chain. */
export function missingOrg(key: string): string {
  return `The scope chain of ${key} does not have org, the base that everyone falls back to. Add org.`
}

const dating: SetRule = (set) => {
  const { effectiveDated, asOfField } = set.body
  if (effectiveDated && asOfField === undefined) {
    const message = `${set.key} is effective-dated but has no "asOfField". Name the date that says which row counts, such as "invoice.tax_date".`
    return [fault(set, '/body/asOfField', 'config.as_of_required', message)]
  }
  if (!effectiveDated && asOfField !== undefined) {
    const message = `${set.key} is not effective-dated, so "asOfField" has no effect. Make the set effective-dated, or remove "asOfField".`
    return [fault(set, '/body/asOfField', 'config.as_of_not_allowed', message)]
  }
  return []
}

const asOfFields: SetRule = (set, { view }) =>
  (set.body.asOfField ?? []).flatMap((path, index, all) => {
    const reason = explainAsOfField(path, view) ?? explainSecond(path, all.slice(0, index))
    return reason === null
      ? []
      : [fault(set, pointer('body', 'asOfField', index), 'config.as_of_field', reason)]
  })

/** Null where the path names a required date or datetime of an object; otherwise why not, and the way out. */
function explainAsOfField(path: string, view: ComponentView): string | null {
  const [objectKey = '', fieldKey, ...rest] = path.split('.')
  if (fieldKey === undefined || rest.length > 0)
    return `asOfField "${path}" is not <object>.<field>, for example "invoice.tax_date".`
  const object = view.get('object', objectKey)
  if (object === undefined)
    return `asOfField "${path}" names no object: there is no "${objectKey}".${didYouMean(objectKey, view.keys('object'))}`
  const field = objectFieldOf(object, fieldKey)
  if (field === undefined) return `asOfField "${path}" names no field.${missingFieldHint(object, fieldKey)}`
  if (!temporalFieldTypes.includes(field.type))
    return `asOfField "${path}" is not temporal: it is of type ${field.type}. Name a date or datetime field.`
  if (!field.required)
    return `asOfField "${path}" is not required, so a record could leave the date open. Make the field required, or name another.`
  return null
}

/** Null where none of the earlier paths is of the same object; which date counted would be nobody's choice. */
function explainSecond(path: string, earlier: readonly string[]): string | null {
  const objectOf = (each: string): string => each.slice(0, each.indexOf('.'))
  const first = earlier.find((each) => objectOf(each) === objectOf(path))
  return first === undefined
    ? null
    : `asOfField names two dates of ${objectOf(path)}: "${first}" and "${path}". Keep the one that says which row counts for a record of ${objectOf(path)}.`
}

function missingFieldHint(object: ComponentOf<'object'>, given: string): string {
  const fields = object.body.fields
  const near = didYouMean(
    given,
    fields.map((field) => field.key),
  )
  if (near !== '') return near
  const temporal = fields.filter((field) => temporalFieldTypes.includes(field.type)).map((field) => field.key)
  const named = temporal.length === 0 ? 'has no date field yet' : `has ${oneOf(temporal)}`
  return ` ${object.key} has no "${given}"; it ${named}.`
}

const fieldShapes: SetRule = (set) =>
  set.body.fields.flatMap((field, index) =>
    fieldShapeFindings(set, ['body', 'fields', index], field, 'config.field_shape'),
  )

const fieldKeys: SetRule = (set): Finding[] => duplicateItems(set, ['body', 'fields'], set.body.fields, 'key')

export const configSetRules: readonly SetRule[] = [
  keySpace,
  readable,
  businessKey,
  chainHasOrg,
  dating,
  asOfFields,
  fieldShapes,
  fieldKeys,
]
