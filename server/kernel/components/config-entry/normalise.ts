// An entry in its declared types, before it is compared or digested (completions 3: digest of a component).
import type { ComponentOf } from '../body-types.ts'
import type { FieldValue } from '../field-types.ts'
import type { ComponentView } from '../view.ts'
import { normaliseBusinessKey } from './business-key.ts'
import { normaliseValue } from './values.ts'

type Entry = ComponentOf<'config_entry'>

/** The same entry with its key and values in normal form and without nulls; what does not fit stays for the rules. */
export function normaliseEntry(entry: Entry, view: ComponentView): Entry {
  const set = view.get('config_set', entry.body.set)
  const fields = new Map(set?.body.fields.map((field) => [field.key, field]))
  const values: Record<string, FieldValue> = {}
  let changed = false
  for (const [name, value] of Object.entries(entry.body.values)) {
    const field = fields.get(name)
    const normal = field === undefined ? value : normaliseValue(field, value)
    if (normal !== value || value === null) changed = true
    if (normal !== null) define(values, name, normal)
  }
  const keyedBy = set?.body.keyedBy
  const key = entry.body.key
  const normalKey = keyedBy === undefined || key === undefined ? key : normaliseBusinessKey(keyedBy, key)
  if (!changed && normalKey === key) return entry
  const body = { ...entry.body, values: changed ? values : entry.body.values }
  return { ...entry, body: normalKey === undefined ? body : { ...body, key: normalKey } }
}

/** An own property whatever its name, `__proto__` included. */
function define(values: Record<string, FieldValue>, name: string, value: FieldValue): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true })
}
