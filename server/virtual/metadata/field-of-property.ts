// The field that maps a property of a source, or why none can.
import type { SourceProperty } from './entity-types.ts'

export interface MappedShape {
  type: 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'enum'
  precision?: number
  scale?: number
  /** If it is not the usual one of the type. */
  remoteType?: string
}

export type PropertyMapping = { ok: true; shape: MappedShape; note?: string } | { ok: false; reason: string }

const mapped = (shape: MappedShape, note?: string): PropertyMapping => ({ ok: true, shape, note })
const unmapped = (reason: string): PropertyMapping => ({ ok: false, reason })

/** Digits of the whole numbers. */
const integers: Readonly<Record<string, number>> = {
  'Edm.Byte': 3,
  'Edm.SByte': 3,
  'Edm.Int16': 5,
  'Edm.Int32': 10,
  'Edm.Int64': 19,
}

const mostDigits = 38

export function fieldOfProperty(property: SourceProperty): PropertyMapping {
  const { type, isCollection, enumeration } = property
  if (isCollection) return unmapped('is a list, and a field has one value')
  if (enumeration !== null)
    return enumeration.isFlags
      ? unmapped('is an enumeration whose values can have several members')
      : mapped({ type: 'enum', remoteType: type })
  const precision = integers[type]
  if (precision !== undefined) return mapped({ type: 'number', precision, scale: 0, remoteType: type })
  switch (type) {
    case 'Edm.String':
      return mapped({ type: 'text' })
    case 'Edm.Guid':
      return mapped({ type: 'text', remoteType: type })
    case 'Edm.Boolean':
      return mapped({ type: 'boolean' })
    case 'Edm.Date':
      return mapped({ type: 'date' })
    case 'Edm.DateTimeOffset':
      return mapped({ type: 'datetime' })
    case 'Edm.Decimal':
      return decimalMapping(property)
    case 'Edm.Double':
    case 'Edm.Single':
      return mapped(
        { type: 'number', precision: mostDigits, scale: 15, remoteType: type },
        'is a binary floating-point number; values with more than 15 decimal places are shown as absent',
      )
    default:
      return unmapped(
        reasons[type] ?? 'has a complex or unknown type; map a part of it by its path, as in Address/City',
      )
  }
}

function decimalMapping({ precision, scale }: SourceProperty): PropertyMapping {
  if (scale === 'variable')
    return mapped(
      { type: 'number', precision: Math.max(precision ?? mostDigits, 10), scale: 10 },
      'has a variable scale; 10 decimal places are assumed',
    )
  if (precision === null)
    return mapped(
      { type: 'number', precision: mostDigits, scale: scale ?? 0 },
      `has no precision; ${mostDigits} digits are assumed`,
    )
  return mapped({ type: 'number', precision: Math.max(precision, 1), scale: Math.min(scale ?? 0, precision) })
}

const reasons: Readonly<Record<string, string>> = {
  'Edm.Binary': 'is binary data, and no field type can hold it',
  'Edm.Stream': 'is a file, and no field type can hold it',
  'Edm.Duration': 'is a duration, and no field type can hold it',
  'Edm.TimeOfDay': 'is a time without a date, and no field type can hold it',
  'Edm.Untyped': 'has no type',
}
