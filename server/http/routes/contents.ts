// Digests of a generation and contents by id, which another org needs for a comparison with this one.
import { z } from 'zod'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { carriedDescription, isIdVisible, narrowView, viewerAt } from '../../pipeline/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { mebibyte } from '../budget.ts'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentId, digest, pageQuery, wholeNumber } from '../schemas/common.ts'

const maxDigests = 10_000
const maxContents = 1000

export const generationDigests = defineRoute({
  method: 'get',
  path: '/metadata/v3/generations/{generation}/digests',
  name: 'listDigests',
  summary: 'List the ids and digests of the components of a generation that the caller can see, page by page',
  effect: 'reads',
  params: z.strictObject({ generation: wholeNumber }),
  query: z.strictObject({
    limit: wholeNumber
      .refine((limit) => limit >= 1 && limit <= maxDigests, {
        error: `limit must be between 1 and ${maxDigests}.`,
      })
      .default(maxDigests)
      .meta({ description: `Maximum number of items on a page; default ${maxDigests}.` }),
    cursor: pageQuery.cursor,
  }),
  budget: wholeOrgBudget,
  reply: z.object({
    lineage: z.string(),
    generation: z.int(),
    digests: z.record(z.string(), digest),
    nextCursor: z.string().nullable(),
  }),
  errors: ['generation.not_found'],
  handle: ({ services, params: { generation }, query: { limit, cursor }, viewer }) => {
    const question = `digests ${generation}`
    const after = (decodeCursor(question, cursor) ?? null) as ComponentId | null
    return services.store.read((reader) => {
      requireGenerationContent(reader, generation)
      const rows = reader.components.digestPage(generation, after, limit)
      const then = viewerAt(reader, viewer, generation)
      return {
        lineage: reader.properties.get().lineage,
        generation,
        digests: Object.fromEntries(rows.filter(([id]) => isIdVisible(id, then))),
        // The place is that of the last row, shown or hidden, so a page does not reveal how many are hidden.
        nextCursor: rows.length < limit ? null : encodeCursor(question, rows.at(-1)![0]),
      }
    })
  },
})

export const generationContents = defineRoute({
  method: 'post',
  path: '/metadata/v3/generations/{generation}/contents',
  name: 'getContents',
  summary: 'Get several components of a generation by id; those that do not exist or are hidden are omitted',
  effect: 'reads',
  params: z.strictObject({ generation: wholeNumber }),
  body: z.strictObject({
    ids: z.array(componentId).max(maxContents),
    descriptions: z.boolean().optional().meta({
      description:
        'Whether to include the imported descriptions of external services, as a retrieve writes them.',
    }),
  }),
  budget: { bytes: mebibyte, lane: 'long' },
  reply: z.object({
    generation: z.int(),
    components: z.array(z.object({ id: z.string(), digest, component: z.unknown() })),
    descriptions: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'By the key of their external service.' }),
  }),
  errors: ['generation.not_found'],
  handle: ({ services, params: { generation }, body: { ids, descriptions }, viewer }) =>
    services.store.read((reader) => {
      requireGenerationContent(reader, generation)
      const view = narrowView(reader.generations.view(generation), viewerAt(reader, viewer, generation))
      const found = ids.flatMap((id) => {
        const { type, key } = splitId(id)
        const component = view.get(type, key) as Component | undefined
        return component === undefined ? [] : [component]
      })
      return {
        generation,
        components: found.map((component) => {
          const id = idOf(component)
          return { id, digest: reader.components.digest(generation, id)!, component }
        }),
        descriptions: descriptions === true ? descriptionsOf(reader, found) : undefined,
      }
    }),
})

function descriptionsOf(reader: OrgReader, components: readonly Component[]): Record<string, string> {
  return Object.fromEntries(
    components.flatMap((component) => {
      const text = carriedDescription(reader, component)
      return text === null ? [] : [[component.key, text]]
    }),
  )
}

/** @throws AlmanacError generation.not_found, even if only its content was purged */
function requireGenerationContent(reader: OrgReader, generation: number): void {
  if (generation > reader.generations.active())
    throw new AlmanacError('generation.not_found', `Generation ${generation} does not exist in this org.`)
  reader.generations.view(generation)
}
