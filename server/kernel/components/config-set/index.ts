// The room of configuration sets.
import { defineComponentType, type Reference } from '../define.ts'
import type { ComponentOf } from '../body-types.ts'
import { edge, grantEdges } from '../edges.ts'
import { configSetBody } from './body.ts'
import { configSetDoc } from './doc.ts'
import { configSetRules } from './rules.ts'

export const configSetRoom = defineComponentType({
  type: 'config_set',
  title: 'configuration set',
  plural: 'configuration sets',
  author: 'metadata.author',
  body: configSetBody,
  references,
  secretSlots: () => [],
  rules: configSetRules,
  independentLists: ['fields'],
  issues: [{ at: '/asOfField', code: 'config.as_of_field' }],
  doc: configSetDoc,
})

function references({ body }: ComponentOf<'config_set'>): Reference[] {
  return [
    ...edge('value_set', body.keyedBy?.valueSet, ['keyedBy', 'valueSet']),
    ...body.fields.flatMap((field, at) => edge('value_set', field.valueSet, ['fields', at, 'valueSet'])),
    ...(body.asOfField ?? []).flatMap((path, at) => {
      const [object, field] = path.split('.')
      return edge('object', object, ['asOfField', at], field)
    }),
    ...grantEdges(body),
  ]
}
