// The remote types that a field of a virtual object can map (docs/reference/component-types.md).
import type { ObjectFieldType } from '../field-types.ts'
import type { ObjectField } from './body.ts'

/** How a source compares a value and writes it in a URL. */
export type RemoteKind =
  'string' | 'guid' | 'enumeration' | 'integer' | 'decimal' | 'float' | 'boolean' | 'date' | 'datetime'

const kinds: Readonly<Record<string, RemoteKind>> = {
  'Edm.String': 'string',
  'Edm.Guid': 'guid',
  'Edm.Byte': 'integer',
  'Edm.SByte': 'integer',
  'Edm.Int16': 'integer',
  'Edm.Int32': 'integer',
  'Edm.Int64': 'integer',
  'Edm.Decimal': 'decimal',
  'Edm.Double': 'float',
  'Edm.Single': 'float',
  'Edm.Boolean': 'boolean',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'datetime',
}

const text = ['Edm.String', 'Edm.Guid', 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64']

/** The primitive types that a field of each type can map; the first is the default. */
export const remoteTypesOf: Readonly<Record<ObjectFieldType, readonly string[]>> = {
  text,
  reference: text,
  number: [
    'Edm.Decimal',
    'Edm.Byte',
    'Edm.SByte',
    'Edm.Int16',
    'Edm.Int32',
    'Edm.Int64',
    'Edm.Double',
    'Edm.Single',
  ],
  boolean: ['Edm.Boolean'],
  date: ['Edm.Date'],
  datetime: ['Edm.DateTimeOffset'],
  enum: ['Edm.String'],
}

const qualifiedName = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)+$/u

/** Whether a field can map the remote type. An enum can also map an enumeration, by its qualified name. */
export function mapsRemoteType(type: ObjectFieldType, remoteType: string): boolean {
  if (remoteTypesOf[type].includes(remoteType)) return true
  return type === 'enum' && qualifiedName.test(remoteType) && !remoteType.startsWith('Edm.')
}

type TypedField = Pick<ObjectField, 'type' | 'remoteType'>

export function remoteTypeOf({ type, remoteType }: TypedField): string {
  return remoteType ?? remoteTypesOf[type][0]!
}

export function remoteKindOf(field: TypedField): RemoteKind {
  return kinds[remoteTypeOf(field)] ?? 'enumeration'
}
