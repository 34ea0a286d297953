// Retired protocol versions: they return 410 with the successor and the guide.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { migrationGuide } from '../migration-guide.ts'
import { textReply } from '../reply.ts'
import { definePublicRoute } from '../route.ts'
import type { RequestHandler } from 'express'

export const guidePath = '/docs/migrate-to-v3'

/** All URLs below `/data/v1` and `/data/v2`, with any method. */
export const retiredVersions: RequestHandler = (request, response, next) => {
  const version = /^\/data\/(v[12])(\/|$)/.exec(request.path)?.[1]
  if (version === undefined) return next()
  response.locals['route'] = `/data/${version}`
  response.setHeader('Link', `</data/v3>; rel="successor-version", <${guidePath}>; rel="deprecation"`)
  throw new AlmanacError(
    'protocol.retired_version',
    `/data/${version} is retired. Use /data/v3; ${guidePath} describes the changes.`,
    { details: [{ successor: '/data/v3', guide: guidePath }] },
  )
}

export const guide = definePublicRoute({
  method: 'get',
  path: guidePath,
  name: 'migrationGuide',
  summary: 'Get the guide for migrating from the retired protocol versions to v3',
  media: 'text/markdown',
  errors: [],
  handle: () => textReply(migrationGuide, 'text/markdown; charset=utf-8'),
})
