// Archives of evidence of stored values, which their creators export and remove.
import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { emptyReply, mediaReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../schemas/common.ts'
import { callerOf } from '../views/record-caller.ts'

const params = z.strictObject({ id: z.string().min(1).max(100) })
const archiveErrors: readonly ErrorCode[] = ['access.denied', 'record.archive_not_found']

export const listArchives = defineRoute({
  method: 'get',
  path: '/setup/v3/archives',
  name: 'listArchives',
  summary: 'List your archives of evidence, the newest first',
  effect: 'reads',
  permission: 'operations.manage',
  query: z.strictObject(pageQuery),
  reply: z.object({
    archives: z.array(
      z.object({
        id: z.string().meta({ description: 'Of a job, its ID.' }),
        object: z.string().nullable().meta({ description: 'Null if the object was removed.' }),
        at: z.string(),
        by: z.string(),
        values: z.int().meta({ description: 'The number of bundles.' }),
        fields: z.array(z.string()).meta({
          description:
            'The fields of which it has bundles, without removed ones and those that you cannot read.',
        }),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  errors: ['access.denied'],
  handle: (request) => request.services.records.archives.list(callerOf(request), request.query),
})

export const exportArchive = defineRoute({
  method: 'get',
  path: '/setup/v3/archives/{id}/evidence',
  name: 'exportArchive',
  summary: 'Export the signed evidence bundles of an archive, one a line',
  effect: 'reads',
  permission: 'operations.manage',
  params,
  media: 'application/x-ndjson',
  errors: archiveErrors,
  handle: async (request) => {
    const { id } = request.params
    const bundles = await request.services.records.archives.evidence(callerOf(request), id)
    return mediaReply('application/x-ndjson; charset=utf-8', {
      headers: { 'Content-Disposition': `attachment; filename="archive-${id}.ndjson"` },
      pieces: bundles,
    })
  },
})

export const removeArchive = defineRoute({
  method: 'delete',
  path: '/setup/v3/archives/{id}',
  name: 'removeArchive',
  summary: 'Remove an archive with its evidence; the values stay as they are',
  effect: 'writes',
  permission: 'operations.manage',
  params,
  status: 204,
  errors: [...archiveErrors, 'request.invalid'],
  handle: async (request) => {
    await request.services.records.archives.remove(callerOf(request), request.by, request.params.id)
    return emptyReply()
  },
})
