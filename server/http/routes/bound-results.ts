// Counts the stored results that are bound to a set or flag, to warn before a change to past days.
import { z } from 'zod'
import { componentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createResultFilter, requireVisibleValues } from '../../access/index.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'

export const boundResults = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/bound-results',
  name: 'countBoundResults',
  summary: 'Count the stored results that are bound to the values of a set or flag',
  effect: 'reads',
  budget: { lane: 'quick' },
  params: z.strictObject({ type: z.enum(['config_set', 'feature_flag']), key: componentKey }),
  reply: z.object({
    bound: z
      .int()
      .meta({ description: 'Number of results that the caller can see and that are not archived.' }),
  }),
  errors: ['config.unknown_set'],
  handle: ({ services, params: { type, key }, snapshot, visibility, access }) => {
    if (!snapshot.view.has(type, key) || !visibility.canSeeDefinition(key))
      throw new AlmanacError(
        'config.unknown_set',
        `The ${type} "${key}" does not exist in the active generation.`,
      )
    requireVisibleValues(visibility, key, access.user)
    return services.store.read((reader) => {
      const identity = reader.identities.at(reader.generations.active(), componentId(type, key))
      if (identity === undefined) return { bound: 0 }
      const groups = reader.results
        .boundGroups(reader.identities.keyPeriods(identity))
        .filter(createResultFilter(reader, access, snapshot))
      return { bound: groups.reduce((sum, { count }) => sum + count, 0) }
    })
  },
})
