// Resolves a set for a key, a scope path and a date.
import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { Resolution } from '#kernel/config/index.ts'
import type { ResolveRequest } from '../../evaluation/index.ts'
import type { RequestContext } from '../request-context.ts'
import { defineRoute } from '../route.ts'
import { explainStep, resolutionFields, resolution } from '../schemas/evaluation.ts'
import { viewingActor } from '../views/viewing-actor.ts'

const errors: readonly ErrorCode[] = [
  'config.unknown_set',
  'config.unknown_key',
  'config.not_effective',
  'config.as_of_required',
  'config.no_entry',
  'config.bad_key',
  'request.invalid',
  'generation.not_found',
]

const explanation = z.object({
  steps: z.array(explainStep),
  resolution: resolution.nullable(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  digest: z.string().meta({ description: 'Configuration digest of the set in that generation.' }),
})

export const resolve = defineRoute({
  method: 'post',
  path: '/setup/v3/resolve',
  name: 'resolve',
  summary: 'Resolve a set or flag; with explain, include every step of the resolution',
  effect: 'reads',
  body: z.strictObject({
    ...resolutionFields,
    field: z.string().optional(),
    explain: z.boolean().optional(),
  }),
  reply: resolution.extend({ steps: z.array(explainStep).optional() }),
  errors,
  handle: async ({ body: { field, explain, ...input }, ...request }) => {
    const { evaluation, org } = request.services
    const by = viewingActor(request)
    const question = questionOf(request, input)
    const snapshot =
      question.generation === request.snapshot.generation ? request.snapshot : org.pin(question.generation)
    if (request.visibility.canSeeValues(question.set)) await org.load(snapshot, question.set)
    const found = evaluation.resolve(by, question)
    const answer = field === undefined ? found : onlyField(found, field)
    return explain === true ? { ...answer, steps: evaluation.explain(by, question).steps } : answer
  },
})

export const explainResolution = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/explain',
  name: 'explainResolution',
  summary:
    'Every step of the resolution: scope, entry, why it did or did not match, who deployed it; even if no entry applies',
  effect: 'reads',
  body: z.strictObject(resolutionFields),
  budget: { lane: 'quick', deadlineMs: 10_000 },
  reply: explanation,
  errors,
  handle: ({ body, ...request }) =>
    request.services.evaluation.explain(viewingActor(request), questionOf(request, body)),
})

interface ResolveBody {
  set: string
  key?: string | number | boolean | null | undefined
  scope?: ResolveRequest['scope']
  asOf?: string | null | undefined
  generation?: number | undefined
}

/** Defaults to the generation that the request is pinned to, and to the caller as viewer. */
function questionOf(
  { scopePath, snapshot }: Pick<RequestContext, 'scopePath' | 'snapshot'>,
  body: ResolveBody,
): ResolveRequest {
  return {
    set: body.set,
    key: body.key == null ? null : String(body.key),
    scope: body.scope ?? scopePath,
    asOf: body.asOf ?? null,
    generation: body.generation ?? snapshot.generation,
  }
}

function onlyField(resolution: Resolution, field: string): Resolution {
  if (Object.hasOwn(resolution.values, field))
    return { ...resolution, values: { [field]: resolution.values[field]! } }
  const near = didYouMean(field, Object.keys(resolution.values))
  throw new AlmanacError('request.invalid', `${resolution.set} has no value "${field}" here.${near}`)
}
