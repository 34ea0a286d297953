// Exports some entries of a set or flag as drafted, in the format of an export of the whole set.
import { z } from 'zod'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { componentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireVisibleValues } from '../../access/index.ts'
import { exportFormats, exportMediaTypes, exportSet } from '../../export/index.ts'
import { parseDraft, visibleDraft } from '../../pipeline/index.ts'
import { mediaReply } from '../reply.ts'
import { mebibyte } from '../budget.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { componentKey } from '../schemas/common.ts'

export const rowsExport = defineRoute({
  method: 'post',
  path: '/setup/v3/sets/{set}/export',
  name: 'exportRows',
  summary: 'Export some entries of a set or flag, as drafted, as CSV, XLSX or JSON, in the given order',
  effect: 'reads',
  params: z.strictObject({ set: componentKey }),
  body: z.strictObject({
    format: z.enum(exportFormats).default('csv'),
    slugs: z.array(z.string()).meta({ description: 'The part of each entry key after the key of the set.' }),
  }),
  budget: { bytes: 32 * mebibyte, elements: 200_000, lane: 'long' },
  media: Object.values(exportMediaTypes).map((media) => media.split(';')[0]!),
  errors: ['config.unknown_set', 'access.denied', 'component.not_found', 'request.invalid'],
  handle: ({ params: { set }, body: { format, slugs }, ...request }) => {
    const { shown, visibility, access } = request
    const owner = shown.get('config_set', set) ?? shown.get('feature_flag', set)
    if (owner === undefined)
      throw new AlmanacError('config.unknown_set', `The configuration set or flag "${set}" does not exist.`)
    requireVisibleValues(visibility, set, access.user)
    const entries = slugs.map((slug) => loadDraftedEntry(request, `${set}.${slug}`))
    return mediaReply(exportMediaTypes[format], {
      headers: { 'Content-Disposition': `attachment; filename="${set}-${slugs.length}-rows.${format}"` },
      pieces: exportSet({ owner, entries }, format),
    })
  },
})

type CallerContext = Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'viewer'> & {
  shown: ComponentView
}

/** @throws AlmanacError component.not_found; request.invalid if its draft cannot be read or removes it */
function loadDraftedEntry(
  { services, viewer, shown }: CallerContext,
  key: string,
): ComponentOf<'config_entry'> {
  const id = componentId('config_entry', key)
  const draft = services.store.read((reader) => visibleDraft(reader, id, viewer))
  if (draft === undefined) {
    const active = shown.get('config_entry', key)
    if (active !== undefined) return active
    throw new AlmanacError('component.not_found', `${id} does not exist, so it cannot be exported.`)
  }
  const component = draft.text === null ? null : (parseDraft(draft).parsed?.component ?? null)
  if (component?.type === 'config_entry') return component
  const why = draft.text === null ? 'removes the entry' : 'cannot be read as an entry yet'
  throw new AlmanacError(
    'request.invalid',
    `The draft of ${key} ${why}, so it cannot be exported. Omit the row or fix its draft.`,
  )
}
