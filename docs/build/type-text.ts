// The type of a property in words, with its bounds.
import type { FieldDescriptor } from '#kernel/components/form.ts'
import type { JsonSchema } from '#kernel/components/schema-lookup.ts'
import { joinWithOr } from '#kernel/components/report.ts'
import { code } from './markdown.ts'

const keyPattern = '^[a-z][a-z0-9_]*$'

export function typeText(schema: JsonSchema, field: FieldDescriptor | undefined): string {
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) {
    if (choices.every(({ properties }) => properties !== undefined)) return 'object'
    return joinWithOr(new Set(choices.map((choice) => typeText(choice, field))))
  }
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ')
  switch (schema.type) {
    case 'array':
      return `list of ${plural(schema.items ?? {}, field)}${lengths(schema)}`
    case 'object':
      return schema.properties === undefined ? mapText(schema, field) : 'object'
    case 'string':
      return textText(schema, field)
    case 'integer':
      return `whole number${bounds(schema)}`
    case 'null':
      return code('null')
    default:
      return Array.isArray(schema.type) ? joinWithOr(schema.type.map(jsonType)) : jsonType(schema.type)
  }
}

function jsonType(type: string | undefined): string {
  if (type === 'string') return 'text'
  return type === 'null' ? code('null') : (type ?? 'any JSON value')
}

function plural(items: JsonSchema, field: FieldDescriptor | undefined): string {
  return typeText(items, field)
    .replace(/^(?:any JSON )?(object|expression|key)\b/, '$1s')
    .replace(/^((?:non-empty )?text)$/, '$1 values')
}

function mapText(schema: JsonSchema, field: FieldDescriptor | undefined): string {
  const { additionalProperties: content } = schema
  if (typeof content !== 'object') return 'object'
  if (Object.keys(content).length === 0) return 'any JSON object'
  const names = field?.widget === 'grants' ? 'keys of permission sets' : 'names'
  return `map of ${names} to ${plural(content, undefined)}`
}

function textText(schema: JsonSchema, field: FieldDescriptor | undefined): string {
  if (schema.format === 'date') return 'date'
  if (schema.format === 'expression') return 'expression'
  const types = field?.refTypes ?? []
  if (types.length > 0) return `key of ${joinWithOr(types.map(code))}`
  if (schema.pattern === keyPattern) return 'key'
  return schema.minLength === undefined ? 'text' : 'non-empty text'
}

function bounds({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || maximum === undefined) return ''
  return `, ${Number(minimum).toLocaleString('en')} to ${Number(maximum).toLocaleString('en')}`
}

function lengths({ minItems, maxItems }: JsonSchema): string {
  if (minItems === undefined && maxItems === undefined) return ''
  return maxItems === undefined ? `, at least ${String(minItems)}` : `, at most ${String(maxItems)}`
}
