// Derives JSON Schemas of envelopes for the editor from the body schemas, with the labels and help of the forms.
import { z } from 'zod'
import { maxKeyLength, type ComponentType } from './component.ts'
import type { FieldDescriptor } from './form.ts'
import { formOf } from './forms.ts'
import { bodySchemaOf, roomOf } from './registry.ts'
import { variants, type JsonSchema } from './schema-lookup.ts'

const bodies = new Map<ComponentType, JsonSchema>()

/** Returns the schema of a body as authors write it, without defaults filled in. Shared: do not change it. */
export function bodyJsonSchema(type: ComponentType): JsonSchema {
  let schema = bodies.get(type)
  if (schema === undefined) {
    const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(bodySchemaOf(type), {
      io: 'input',
      unrepresentable: 'any',
    })
    schema = jsonSchema as JsonSchema
    for (const { fields } of formOf(type).sections) for (const field of fields) describe(schema, field)
    bodies.set(type, schema)
  }
  return schema
}

/** Returns the schema of a whole component of one type, for the editor. */
export function envelopeJsonSchema(type: ComponentType): JsonSchema {
  const { title, doc } = roomOf(type)
  const slugPattern = type === 'config_entry' ? '\\.[a-z][a-z0-9_]*' : ''
  const keyHelp =
    type === 'config_entry'
      ? 'The key of its set, a dot, and a slug: vat_rate.de_2021.'
      : `Identifies the ${title}; others refer to it.`
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description: doc.summary,
    type: 'object',
    properties: {
      type: { title: 'Type', description: 'The component type.', const: type },
      key: {
        title: 'Key',
        description: keyHelp,
        type: 'string',
        pattern: `^[a-z][a-z0-9_]*${slugPattern}$`,
        maxLength: type === 'config_entry' ? 2 * maxKeyLength + 1 : maxKeyLength,
      },
      label: { title: 'Label', description: 'The display name.', type: 'string', minLength: 1 },
      body: { title: 'Body', description: doc.summary, ...bodyJsonSchema(type) },
      breaking: {
        title: 'Breaking',
        description: 'For one apply only: confirms that a field in use is removed.',
        type: 'boolean',
      },
      renamedFrom: {
        title: 'Renamed from',
        description: 'For one apply only: the former key of the component.',
        type: 'string',
      },
    },
    required: ['type', 'key', 'label', 'body'],
    additionalProperties: false,
  }
}

function describe(schema: JsonSchema, field: FieldDescriptor): void {
  for (const place of field.path.split('.').reduce(step, [schema])) {
    place.title ??= field.label
    place.description ??= field.help
    for (const inner of field.fields ?? []) for (const level of contents(place)) describe(level, inner)
  }
}

function step(places: JsonSchema[], name: string): JsonSchema[] {
  return places.flatMap(variants).flatMap((place) => {
    const property =
      place.properties && Object.hasOwn(place.properties, name) ? place.properties[name] : undefined
    return property === undefined ? [] : [property]
  })
}

/** Returns the content of a grid, a group or a map: the items of a list, the values of a map, or the object itself. */
function contents(schema: JsonSchema): JsonSchema[] {
  return variants(schema).flatMap((variant) => {
    if (variant.items !== undefined) return [variant.items]
    return typeof variant.additionalProperties === 'object' ? [variant.additionalProperties] : [variant]
  })
}
