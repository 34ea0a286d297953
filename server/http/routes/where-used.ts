// Lists the uses of a component, of one of its fields, or of one value of a value set.
import { z } from 'zod'
import { whereUsedView } from '../../pipeline/index.ts'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentKey, componentType, usage } from '../schemas/common.ts'

export const whereUsed = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/where-used',
  name: 'whereUsed',
  summary: 'List all references to a component',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  query: z.strictObject({
    member: z.string().optional().meta({
      description: 'Only uses of this field of a set or an object, or of this value of a value set.',
    }),
  }),
  budget: wholeOrgBudget,
  reply: z.object({ usages: z.array(usage), entries: z.int() }),
  errors: ['component.not_found', 'request.invalid'],
  handle: ({ services, params, query, snapshot, visibility, shown }) =>
    services.store.read((reader) =>
      whereUsedView(
        reader,
        { snapshot, visibility, shown, graph: () => services.org.graph() },
        { ...params, ...query },
      ),
    ),
})
