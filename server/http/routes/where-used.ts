// Who uses a component, or one field of it (specification 2.7.9; HTTP surface).
import { z } from 'zod'
import { componentId } from '#kernel/components/component.ts'
import type { Usage } from '#kernel/graph/index.ts'
import { defineRoute } from '../route.ts'
import { componentKey, componentType, usage } from '../schemas/common.ts'
import { entryCountOf, shownComponent, usagesOf } from '../views/component-facts.ts'

export const whereUsed = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/where-used',
  name: 'whereUsed',
  summary: 'Every place that refers to a component',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  query: z.strictObject({
    member: z.string().optional().meta({ description: 'Only uses of this field of the set or object.' }),
  }),
  reply: z.object({ usages: z.array(usage), entries: z.int() }),
  errors: ['component.not_found'],
  handle: ({ services, params, query, world, visibility, shown }): { usages: Usage[]; entries: number } => {
    shownComponent(shown, params.type, params.key)
    const id = componentId(params.type, params.key)
    return services.store.read((reader) => ({
      usages: usagesOf(reader, world.generation, id, shown, query.member),
      entries: entryCountOf(world, visibility, id),
    }))
  },
})
