// The rows of a set as columns, for a grid with all of them.
import { z } from 'zod'
import type { ComponentView } from '#kernel/components/view.ts'
import type { SetSlice } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireVisibleValues } from '../../access/index.ts'
import { visibleDraft } from '../../pipeline/index.ts'
import { emptyReply, jsonPiecesReply, jsonReply, type Reply } from '../reply.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { componentKey, wholeNumber } from '../schemas/common.ts'
import { entryColumns, entryLabels } from '../views/entry-columns.ts'
import { visibleGeneration } from '../visible-generation.ts'

const params = z.strictObject({ type: z.enum(['config_set', 'feature_flag']), key: componentKey })
const query = z.strictObject({ generation: wholeNumber.optional() })
const errors = ['config.unknown_set', 'generation.not_found'] as const
const value = z.union([z.string(), z.boolean(), z.null()])

export const entryColumnsOf = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/entries',
  name: 'listEntryColumns',
  summary:
    'Get all entries of a set or flag as columns; the ETag is the digest, so unchanged rows return 304',
  effect: 'reads',
  params,
  query,
  reply: z.object({
    digest: z.string(),
    rows: z.int(),
    slugs: z.array(z.string()),
    keys: z.array(z.string()).optional(),
    keyOf: z.array(z.int()).optional(),
    scopes: z.array(z.unknown()),
    scopeOf: z.array(z.int()),
    from: z.array(z.int()).optional().meta({ description: 'First days, in days since 1970-01-01.' }),
    to: z.array(z.int().nullable()).optional(),
    priority: z.array(z.int().nullable()).optional(),
    values: z.record(z.string(), z.array(value)),
  }),
  requestHeaders: ['If-None-Match'],
  etag: true,
  errors,
  handle: (request) => columnsReply(request, 'rows', ({ slice }) => entryColumns(slice)),
})

export const entryLabelsOf = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/entry-labels',
  name: 'listEntryLabels',
  summary: 'Get the labels of the entries of a set or flag by slug',
  effect: 'reads',
  params,
  query,
  reply: z.object({ digest: z.string(), slugs: z.array(z.string()), labels: z.array(z.string()) }),
  requestHeaders: ['If-None-Match'],
  etag: true,
  errors,
  handle: (request) => columnsReply(request, 'labels', ({ slice, view }) => entryLabels(slice, view)),
})

type ColumnsRequest = SignedInRequest<z.output<typeof params>, z.output<typeof query>, unknown>
interface SetRows {
  slice: SetSlice
  view: ComponentView
}

/** Responses that depend only on the digest of a set are not sent twice. */
async function columnsReply(
  request: ColumnsRequest,
  what: string,
  pieces: (at: SetRows) => Promise<string[]>,
): Promise<Reply<NoRows>> {
  if (isDrafted(request)) return noRowsReply(request)
  const at = await loadRows(request)
  const tag = `"${what}-${at.slice.digest}"`
  const headers = { ETag: tag }
  if (request.raw.request.get('If-None-Match') === tag) return emptyReply({ status: 304, headers })
  return jsonPiecesReply(await pieces(at), { headers })
}

/** The empty columns of a set that exists only as a draft; its entries are drafts too. */
const noRows = { digest: '', rows: 0, slugs: [], labels: [], scopes: [], scopeOf: [], values: {} }
type NoRows = typeof noRows

function noRowsReply({ raw }: ColumnsRequest): Reply<NoRows> {
  const headers = { ETag: '"drafted"' }
  if (raw.request.get('If-None-Match') === headers.ETag) return emptyReply({ status: 304, headers })
  return jsonReply(noRows, { headers })
}

/** Returns whether the set or flag is not active and the caller can see its draft. */
function isDrafted({ services, params: { type, key }, query, snapshot, viewer }: ColumnsRequest): boolean {
  if (query.generation !== undefined || snapshot.view.has(type, key)) return false
  const draft = services.store.read((reader) => visibleDraft(reader, `${type}/${key}`, viewer))
  return draft !== undefined && draft.text !== null
}

/** @throws AlmanacError config.unknown_set, access.denied, generation.not_found */
async function loadRows(request: ColumnsRequest): Promise<SetRows> {
  const {
    services,
    params: { type, key },
    query,
    access,
  } = request
  const { snapshot: at, visibility } = visibleGeneration(request, query.generation)
  if (visibility.canSeeValues(key)) await services.org.load(at, key)
  const slice =
    at.view.has(type, key) && visibility.canSeeDefinition(key) ? at.slice.sets.get(key) : undefined
  if (slice === undefined)
    throw new AlmanacError(
      'config.unknown_set',
      `The ${type} "${key}" does not exist in generation ${at.generation}.`,
    )
  requireVisibleValues(visibility, key, access.user)
  return { slice, view: at.view }
}
