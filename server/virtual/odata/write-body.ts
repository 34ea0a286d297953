// The body of an insert or an update in OData JSON. Exact numbers are texts, as in IEEE754Compatible.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { MappedField, VirtualObject } from '../virtual-object.ts'

/**
 * @param values stored forms by field key
 * @throws AlmanacError `virtual.not_writable` for a field that the source sets or that is computed
 */
export function writeBody(
  object: VirtualObject,
  values: ReadonlyMap<string, FieldValue>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [key, value] of values) {
    const mapped = object.fields.get(key)
    if (mapped === undefined || mapped.field.readOnly === true)
      throw new AlmanacError(
        'virtual.not_writable',
        mapped === undefined
          ? `${object.key}.${key} is not a field of the source. Leave it out.`
          : `${object.key}.${key} is set by the source. Leave it out.`,
      )
    setProperty(body, mapped.remote.split('/'), jsonOf(value, mapped))
  }
  return body
}

/** Sets a property of a complex property as a part of it: `Address/City`. */
export function setProperty(
  body: Record<string, unknown>,
  [name, ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) body[name!] = value
  else setProperty((body[name!] ??= {}) as Record<string, unknown>, rest, value)
}

/** Types whose numbers every JSON parser reads exactly. */
const smallNumbers: ReadonlySet<string> = new Set([
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Double',
  'Edm.Single',
])

function jsonOf(value: FieldValue, { remoteType, kind }: MappedField): unknown {
  if (typeof value !== 'string') return value
  if (smallNumbers.has(remoteType)) return Number(value)
  return kind === 'integer' ? value.replace(/\.0+$/, '') : value
}
