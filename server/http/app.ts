// Builds the Express app: the steps of a request, from top to bottom.
import express, { type Express } from 'express'
import { correlation } from './correlation.ts'
import { errorResponse, routeNotFound } from './errors.ts'
import { requestMetrics } from './metrics.ts'
import { headerCheck } from './header-check.ts'
import { mountRoutes } from './mount.ts'
import { requestLog } from './request-log.ts'
import { retiredVersions } from './routes/retired-versions.ts'
import { routes } from './routes/index.ts'
import { securityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { hostCheck, originCheck } from './site.ts'
import { studioFiles } from './static.ts'

export function createApp(services: Services): Express {
  const { site, ids, log, metrics, studioFolder, readiness } = services
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.use(correlation(ids), requestLog(log), requestMetrics(metrics))
  app.use(securityHeaders(site.scheme === 'https'))
  app.use(headerCheck)
  app.use(hostCheck(site), originCheck(site))
  app.use(retiredVersions)
  app.use(mountRoutes(services, routes))
  if (studioFolder !== null) app.use(studioFiles(studioFolder))
  app.use(routeNotFound)
  app.use(errorResponse(log, readiness))
  return app
}
