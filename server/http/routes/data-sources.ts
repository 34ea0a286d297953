// The services behind virtual objects, for authors: entity sets, drafts of objects and a first page; and what the Setup page
// of a virtual object shows.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SourceCaller } from '../../records/index.ts'
import type { Budget } from '../budget.ts'
import { problemOf } from '../problem.ts'
import type { RequestContext } from '../request-context.ts'
import { defineRoute } from '../route.ts'
import { componentKey, problem } from '../schemas/common.ts'
import { fieldValue } from '../schemas/records.ts'
import { sourceErrors } from '../callout-errors.ts'

/** An entity set has rows and properties that no object shows to its users. */
const permission = 'metadata.author'

/** Metadata can have millions of characters, which a worker reads. */
const budget: Partial<Budget> = { lane: 'long', deadlineMs: 60_000 }

const errors = [
  'component.not_found',
  'virtual.metadata',
  'access.denied',
  'limit.deadline',
  ...sourceErrors,
] as const

const ofSource = z.strictObject({ source: componentKey })
const ofSet = z.strictObject({
  source: componentKey,
  entitySet: z.string().min(1).max(200).meta({ description: 'The name of an entity set of the service.' }),
})

const summary = z.object({
  name: z.string(),
  type: z.string(),
  key: z.array(z.string()),
  properties: z.int(),
  refusal: z.string().nullable().meta({ description: 'Why no virtual object can have its rows.' }),
  objects: z.array(z.string()).meta({ description: 'The virtual objects that have its rows.' }),
})

const drafted = z.object({
  type: z.enum(['object', 'value_set']),
  key: z.string(),
  label: z.string(),
  body: z.record(z.string(), z.unknown()),
})

const sourceCaller = ({ access, snapshot, by }: RequestContext): SourceCaller => ({
  ...{ user: access.user, correlationId: by.correlationId, view: snapshot.view, withinMs: 30_000 },
})

export const listEntitySets = defineRoute({
  method: 'get',
  path: '/setup/v3/data-sources/{source}/entity-sets',
  name: 'listEntitySets',
  summary: 'List the entity sets of the service behind an external data source, from its metadata',
  effect: 'reads',
  permission,
  params: ofSource,
  budget,
  reply: z.object({ entitySets: z.array(summary) }),
  errors,
  handle: (request) => request.services.sourceSetup.entitySets(sourceCaller(request), request.params.source),
})

export const getEntitySet = defineRoute({
  method: 'get',
  path: '/setup/v3/data-sources/{source}/entity-sets/{entitySet}',
  name: 'getEntitySet',
  summary: 'Get the properties of an entity set, and a draft of a virtual object over it',
  effect: 'reads',
  permission,
  params: ofSet,
  budget,
  reply: summary.extend({
    details: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        isCollection: z.boolean(),
        isNullable: z.boolean(),
        isComputed: z.boolean(),
        field: z.string().nullable(),
        note: z.string().nullable(),
      }),
    ),
    draft: z
      .object({ object: drafted, valueSets: z.array(drafted) })
      .nullable()
      .meta({ description: 'Components to review and apply; null if no object can have the rows.' }),
  }),
  errors,
  handle: (request) => {
    const { source, entitySet } = request.params
    return request.services.sourceSetup.entitySet(sourceCaller(request), source, entitySet)
  },
})

export const previewEntitySet = defineRoute({
  method: 'get',
  path: '/setup/v3/data-sources/{source}/entity-sets/{entitySet}/rows',
  name: 'previewEntitySet',
  summary: 'Read a first page of an entity set, as you',
  effect: 'reads',
  permission,
  params: ofSet,
  budget,
  reply: z.object({
    fields: z.array(z.object({ key: z.string(), label: z.string() })),
    rows: z.array(z.object({ id: z.string(), values: z.array(fieldValue) })),
    hasMore: z.boolean(),
    warnings: z.array(problem),
  }),
  errors,
  handle: async (request) => {
    const { source, entitySet } = request.params
    const found = await request.services.sourceSetup.rows(sourceCaller(request), source, entitySet)
    const { correlationId } = request.by
    return { ...found, warnings: found.warnings.map((warning) => problemOf(warning, correlationId)) }
  },
})

/** Above it, a scheduled ingest is the better choice for a list. */
const slowMs = 400

export const getVirtualObject = defineRoute({
  method: 'get',
  path: '/setup/v3/virtual-objects/{object}',
  name: 'getVirtualObject',
  summary: 'Show who sees which rows of a virtual object, and how fast its source is',
  effect: 'reads',
  author: true,
  params: z.strictObject({ object: componentKey }),
  reply: z.object({
    object: z.string(),
    dataSource: z.string(),
    rowAccess: z.enum(['owner_column', 'object_permission']),
    ownerColumn: z.string().nullable(),
    calls: z
      .int()
      .meta({ description: 'How many of the latest calls were measured since the server started.' }),
    p95Ms: z.number().nullable(),
    slowMs: z.int(),
    recommendsIngest: z.boolean(),
  }),
  errors: ['component.not_found'],
  handle: ({ services, params, snapshot }) => {
    const body = snapshot.view.get('object', params.object)?.body
    if (body?.storage !== 'external')
      throw new AlmanacError('component.not_found', `The virtual object "${params.object}" does not exist.`)
    const { dataSource, ownerColumn = null } = body
    const { calls, p95Ms } = services.sourceTimes.of(dataSource)
    return {
      ...{ object: params.object, dataSource, ownerColumn, calls, p95Ms, slowMs },
      rowAccess: ownerColumn === null ? ('object_permission' as const) : ('owner_column' as const),
      recommendsIngest: p95Ms !== null && p95Ms > slowMs,
    }
  },
})
