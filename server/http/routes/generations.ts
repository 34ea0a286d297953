// The generations of the org and their changes.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { redactGeneration, redactGenerations } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { changeView } from '../schemas/changes.ts'
import { generationRow, pageQuery, wholeNumber } from '../schemas/common.ts'
import { pastChangeViews } from '../views/generation-changes.ts'

export const generations = defineRoute({
  method: 'get',
  path: '/metadata/v3/generations',
  name: 'listGenerations',
  summary: 'List generations, newest first',
  effect: 'reads',
  query: z.strictObject({
    before: wholeNumber.optional().meta({ description: 'Only generations before this one.' }),
    limit: pageQuery.limit,
  }),
  reply: z.object({ active: z.int(), generations: z.array(generationRow) }),
  errors: [],
  handle: ({ services, query, snapshot, ...viewer }) =>
    services.store.read((reader) => {
      // A generation that is written but not yet visible to readers is omitted.
      const before = Math.min(query.before ?? Infinity, snapshot.generation + 1)
      const rows = reader.generations.list({ ...query, before })
      return {
        active: snapshot.generation,
        generations: redactGenerations(reader, rows, viewer),
      }
    }),
})

export const generation = defineRoute({
  method: 'get',
  path: '/metadata/v3/generations/{generation}',
  name: 'getGeneration',
  summary: 'Get a generation and its changes',
  effect: 'reads',
  params: z.strictObject({ generation: wholeNumber }),
  budget: { lane: 'quick' },
  reply: z.object({ generation: generationRow, changes: z.array(changeView), total: z.int() }),
  errors: ['generation.not_found'],
  handle: ({ services, params, ...asking }) =>
    services.store.read((reader) => {
      const row = reader.generations.get(params.generation)
      if (row === undefined)
        throw new AlmanacError(
          'generation.not_found',
          `Generation ${params.generation} does not exist in this org.`,
        )
      const shown = redactGeneration(reader, row, asking)
      return {
        generation: shown,
        ...pastChangeViews(reader, params.generation - 1, params.generation, asking),
      }
    }),
})
