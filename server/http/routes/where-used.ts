// Lists the uses of a component, of one of its fields, or of one value of a value set.
import { z } from 'zod'
import { componentId } from '#kernel/components/component.ts'
import { requireMember } from '#kernel/graph/index.ts'
import type { WhereUsedView } from '#wire/index.ts'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentKey, componentType, usage } from '../schemas/common.ts'
import { entryCountOf, shownComponent, usagesOf } from '../views/component-facts.ts'

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
  handle: ({ services, params, query, snapshot, visibility, shown }): WhereUsedView => {
    shownComponent(shown, params.type, params.key)
    const id = componentId(params.type, params.key)
    if (query.member !== undefined) requireMember(shown, id, query.member)
    return services.store.read((reader) => ({
      usages: usagesOf(reader, snapshot.generation, id, shown, {
        graph: () => services.org.graph(),
        member: query.member,
      }),
      entries: entryCountOf(snapshot, visibility, id, { graph: () => services.org.graph(), shown }),
    }))
  },
})
