// Field types of configuration and of objects.

export const configFieldTypes = ['number', 'enum', 'date', 'text', 'boolean', 'credential_reference'] as const
export type ConfigFieldType = (typeof configFieldTypes)[number]

export const objectFieldTypes = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'enum',
  'reference',
] as const
export type ObjectFieldType = (typeof objectFieldTypes)[number]

export const temporalFieldTypes: readonly string[] = ['date', 'datetime']

/** A value in a normalised component: numbers as decimal strings, dates as ISO 8601. */
export type FieldValue = string | boolean | null
