// The entries of a set or flag as a file.
import { z } from 'zod'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { requireVisibleValues, type Visibility } from '../../access/index.ts'
import { exportFormats, exportMediaTypes, exportSet } from '../../export/index.ts'
import { mediaReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { componentKey, wholeNumber } from '../schemas/common.ts'
import { visibleGeneration } from '../visible-generation.ts'

export const setExport = defineRoute({
  method: 'get',
  path: '/setup/v3/sets/{set}/export',
  name: 'exportSet',
  summary: 'Export the entries of a set or flag as CSV, XLSX or JSON',
  effect: 'reads',
  params: z.strictObject({ set: componentKey }),
  query: z.strictObject({
    format: z.enum(exportFormats).default('csv'),
    generation: wholeNumber.optional(),
  }),
  media: Object.values(exportMediaTypes).map((media) => media.split(';')[0]!),
  errors: ['config.unknown_set', 'access.denied', 'generation.not_found'],
  handle: ({ params: { set }, query: { format, generation: requestedGeneration }, ...request }) => {
    const { snapshot, visibility: seen } = visibleGeneration(request, requestedGeneration)
    const { generation, view } = snapshot
    const owner = view.get('config_set', set) ?? view.get('feature_flag', set)
    // A hidden set and one that does not exist are refused with the same error.
    if (owner === undefined || !seen.canSeeDefinition(set)) throw unknownSetError(set, view, seen)
    requireVisibleValues(seen, set, request.access.user)
    const name = `${set}-generation-${generation}.${format}`
    return mediaReply(exportMediaTypes[format], {
      headers: { 'Content-Disposition': `attachment; filename="${name}"` },
      pieces: exportSet({ owner, entries: view.entriesOf(set) }, format),
    })
  },
})

function unknownSetError(set: string, view: ComponentView, seen: Visibility): AlmanacError {
  const known = [...view.keys('config_set'), ...view.keys('feature_flag')].filter(seen.canSeeDefinition)
  return new AlmanacError(
    'config.unknown_set',
    `The configuration set or flag "${set}" does not exist.${didYouMean(set, known)}`,
  )
}
