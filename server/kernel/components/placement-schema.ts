// The JSON Schema of one section for the editor: the inputs of an item depend on its element
// (docs/reference/lookup-field.md).
import { z } from 'zod'
import type { JsonSchema } from './schema-lookup.ts'
import { placeableElements, type ElementInput } from './placeable-elements.ts'
import { section } from './placement.ts'

export function placementSchema(): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(section, { io: 'input' })
  const schema = made as JsonSchema
  const item = schema.properties!['items']!.items!
  item['allOf'] = Object.entries(placeableElements).map(([key, inputs]) => ({
    if: { properties: { key: { const: key } } },
    then: { properties: { inputs: inputsSchema(inputs) } },
  }))
  item.properties!['key'] = { anyOf: [{ enum: Object.keys(placeableElements) }, { type: 'string' }] }
  return schema
}

function inputsSchema(inputs: Readonly<Record<string, ElementInput>>): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(inputs).map(([name, { type, help, defaultText, choices, unit }]) => [
        name,
        {
          ...(choices === undefined ? { type } : { enum: [...choices] }),
          ...(type === 'number' ? { type: 'integer', minimum: 0 } : {}),
          description: [
            help,
            ...(defaultText === undefined ? [] : [`${defaultText}${unit ? ` ${unit}` : ''} by default.`]),
          ].join(' '),
        },
      ]),
    ),
  }
}
