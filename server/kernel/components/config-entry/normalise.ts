// Normalises an entry to its declared types, before it is compared or digested
// (docs/reference/bindings-and-evidence.md).
import type { ComponentOf } from '../body-types.ts'
import type { FieldValue } from '../field-types.ts'
import type { ComponentView } from '../view.ts'
import { normaliseBusinessKey } from './business-key.ts'
import { normaliseValue } from './values.ts'

type Entry = ComponentOf<'config_entry'>
type ConfigSet = ComponentOf<'config_set'>

/**
 * Returns the entry with its key and values in normal form and without nulls; values that are not valid stay unchanged,
 * for the rules to report.
 */
export function normaliseEntry(entry: Entry, view: ComponentView): Entry {
  const set = view.get('config_set', entry.body.set)
  const fields = set === undefined ? none : fieldsOf(set)
  const originalValues = entry.body.values
  const values = isNormal(originalValues, fields) ? originalValues : normalValues(originalValues, fields)
  const keyedBy = set?.body.keyedBy
  const key = entry.body.key
  const normalKey = keyedBy === undefined || key === undefined ? key : normaliseBusinessKey(keyedBy, key)
  if (values === originalValues && normalKey === key) return entry
  const body = { ...entry.body, values }
  return { ...entry, body: normalKey === undefined ? body : { ...body, key: normalKey } }
}

type Fields = ReadonlyMap<string, ConfigSet['body']['fields'][number]>

const none: Fields = new Map()
const fieldsBySet = new WeakMap<ConfigSet, Fields>()

/** Returns the fields of a set by name, built once for all of its entries. */
function fieldsOf(set: ConfigSet): Fields {
  let fields = fieldsBySet.get(set)
  if (fields === undefined)
    fieldsBySet.set(set, (fields = new Map(set.body.fields.map((each) => [each.key, each]))))
  return fields
}

function isNormal(values: Entry['body']['values'], fields: Fields): boolean {
  for (const name of Object.keys(values)) {
    const value = values[name]!
    const field = fields.get(name)
    if (value === null || (field !== undefined && normaliseValue(field, value) !== value)) return false
  }
  return true
}

function normalValues(fieldValues: Entry['body']['values'], fields: Fields): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {}
  for (const [name, value] of Object.entries(fieldValues)) {
    const field = fields.get(name)
    const normal = field === undefined ? value : normaliseValue(field, value)
    if (normal !== null) define(values, name, normal)
  }
  return values
}

/** Defines an own property of any name, including `__proto__`. */
function define(values: Record<string, FieldValue>, name: string, value: FieldValue): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true })
}
