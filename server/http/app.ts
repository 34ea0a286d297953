// Builds the Express app: the steps of a request, from top to bottom.
import type { RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import { correlation } from './correlation.ts'
import { errorResponse, routeNotFound } from './errors.ts'
import { requestMetrics } from './metrics.ts'
import { headerCheck } from './header-check.ts'
import { dispatcher } from './dispatch.ts'
import { mountedPaths, mountRoutes } from './mount.ts'
import { requestLog } from './request-log.ts'
import { retiredVersions } from './routes/retired-versions.ts'
import { routes } from './routes/index.ts'
import { securityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { hostCheck, originCheck } from './site.ts'
import { studioFiles } from './static.ts'

/** What every request passes first; each step calls the next one at once, or throws. */
function entrySteps({ ids, log, metrics, site }: Services): RequestHandler[] {
  return [
    ...[correlation(ids), requestLog(log), requestMetrics(metrics), securityHeaders(site.scheme === 'https')],
    ...[headerCheck, hostCheck(site), originCheck(site)],
  ]
}

/** Requests to the data API are dispatched before Express, from the same declarations and with the same steps. */
export function createApp(services: Services): RequestListener {
  const { log, studioFolder, readiness } = services
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  const steps = entrySteps(services)
  const paths = mountedPaths(services, routes)
  const refuse = errorResponse(log, readiness)
  app.use(...steps)
  app.use(retiredVersions)
  app.use(mountRoutes(paths))
  if (studioFolder !== null) app.use(studioFiles(studioFolder))
  app.use(routeNotFound)
  app.use(refuse)
  return dispatcher(app, { steps, paths: paths.filter(({ path }) => path.startsWith(dataApi)), refuse })
}

/** Only these have to be dispatched before Express, because only these are requested thousands of times a second. */
const dataApi = '/data/v3/'
