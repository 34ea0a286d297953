// Evaluates feature flags for clients of OpenFeature (OpenFeature Remote Evaluation Protocol 0.2). A flag that the caller
// cannot read does not exist, and the context never changes who is asking.
import { hash } from 'node:crypto'
import type { Response } from 'express'
import { z } from 'zod'
import { canonicalLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { problemOf, toAlmanacError } from '../problem.ts'
import { emptyReply, jsonReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { viewingActor } from '../views/viewing-actor.ts'

const body = z.looseObject({
  context: z
    .looseObject({
      targetingKey: z.string().optional(),
      app: z.string().optional(),
      locale: z.string().optional(),
    })
    .default({})
    .meta({
      description:
        'Of the context, "app" and "locale" select scope entries, and take precedence over the headers. Other attributes are ignored.',
    }),
})

const evaluation = z
  .object({
    key: z.string(),
    value: z.boolean(),
    variant: z.enum(['on', 'off']),
    reason: z
      .enum(['DEFAULT', 'TARGETING_MATCH'])
      .meta({ description: 'DEFAULT: the default of the flag. TARGETING_MATCH: the entry of a scope.' }),
    metadata: z.object({ generation: z.int(), scope: z.string(), expiresOn: z.string() }),
  })
  .meta({ id: 'FlagEvaluation' })

const ofrepError = z
  .object({ key: z.string().optional(), errorCode: z.string(), errorDetails: z.string() })
  .meta({ id: 'OfrepError', description: 'An error of a flag evaluation, in the format of OFREP.' })

class EvaluationError extends Error {
  readonly status: number
  readonly errorCode: string
  readonly key: string | undefined

  constructor(status: number, errorCode: string, message: string, key?: string) {
    super(message)
    this.status = status
    this.errorCode = errorCode
    this.key = key
  }
}

const foreign = {
  sendForeignError: refuseAsOfrep,
  foreignErrorFormat: { statuses: [400, 401, 403, 404, 405, 413, 415, 429], body: ofrepError },
}

type EvaluationRequest = SignedInRequest<unknown, unknown, z.output<typeof body>>

export const evaluateFlag = defineRoute({
  method: 'post',
  path: '/ofrep/v1/evaluate/flags/{key}',
  name: 'evaluateFlag',
  summary: 'Evaluate a feature flag for a client of OpenFeature',
  effect: 'reads',
  params: z.strictObject({ key: z.string().min(1).max(200) }),
  body,
  reply: evaluation,
  errors: ['config.unknown_set'],
  ...foreign,
  handle: (request) => {
    const { key } = request.params
    if (!isReadable(request, key))
      throw new EvaluationError(404, 'FLAG_NOT_FOUND', `The flag "${key}" does not exist.`, key)
    return evaluate(request, key, scopeOf(request))
  },
})

export const evaluateFlags = defineRoute({
  method: 'post',
  path: '/ofrep/v1/evaluate/flags',
  name: 'evaluateFlags',
  summary: 'Evaluate all feature flags that you can read, for a client of OpenFeature',
  effect: 'reads',
  body,
  reply: z.object({ flags: z.array(evaluation) }),
  requestHeaders: ['If-None-Match'],
  etag: true,
  errors: [],
  ...foreign,
  handle: (request) => {
    const scope = scopeOf(request)
    const keys = [...request.shown.keys('feature_flag')].filter((key) => isReadable(request, key))
    const reply = { flags: keys.map((key) => evaluate(request, key, scope)) }
    const etag = `"${hash('sha256', JSON.stringify(reply), 'base64url')}"`
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (request.raw.request.get('If-None-Match') === etag) return emptyReply({ status: 304, headers })
    return jsonReply(reply, { headers })
  },
})

function isReadable({ shown, access, visibility }: RequestContext, key: string): boolean {
  return shown.has('feature_flag', key) && (access.platformRoot || visibility.canSeeValues(key))
}

function evaluate(request: EvaluationRequest, key: string, scope: ScopePath): z.input<typeof evaluation> {
  const { services, snapshot, shown } = request
  const { generation } = snapshot
  const found = services.evaluation.resolve(viewingActor(request), { set: key, scope, generation })
  const value = found.values['value'] === true
  return {
    ...{ key, value, variant: value ? 'on' : 'off' },
    reason: found.entry === key ? 'DEFAULT' : 'TARGETING_MATCH',
    metadata: {
      ...{ generation, scope: found.scope.kind },
      expiresOn: shown.get('feature_flag', key)!.body.expiresOn,
    },
  }
}

/** @throws EvaluationError `INVALID_CONTEXT` */
function scopeOf({ scopePath, shown, body: { context } }: EvaluationRequest): ScopePath {
  const { app, locale } = context
  const scope: ScopePath = { ...scopePath }
  if (app !== undefined) {
    if (!shown.has('app', app))
      throw new EvaluationError(
        400,
        'INVALID_CONTEXT',
        `The app "${app}" does not exist.${didYouMean(app, shown.keys('app'))}`,
      )
    scope.app = app
  }
  if (locale !== undefined) {
    const canonical = canonicalLocale(locale)
    if (canonical === null) throw new EvaluationError(400, 'INVALID_CONTEXT', explainLocale(locale))
    scope.locale = canonical
  }
  return scope
}

/** Sends errors in the format of OFREP; errors of the server keep the envelope of the platform. */
function refuseAsOfrep(error: unknown, response: Response): boolean {
  if (error instanceof EvaluationError) {
    const { status, errorCode, message, key } = error
    send(response, status, { ...(key === undefined ? {} : { key }), errorCode, errorDetails: message })
    return true
  }
  if (toAlmanacError(error) === null) return false
  const { status, detail } = problemOf(error, '')
  if (status >= 500) return false
  if (error instanceof AlmanacError && error.retryAfter !== undefined)
    response.setHeader('Retry-After', String(error.retryAfter))
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="almanac"')
  send(response, status, { errorCode: status === 400 ? 'PARSE_ERROR' : 'GENERAL', errorDetails: detail })
  return true
}

function send(response: Response, status: number, content: z.input<typeof ofrepError>): void {
  response.setHeader('Cache-Control', 'private, no-store')
  response.status(status).json(content)
}
