// Builds the listener of the server: the Express app, and before it the data API, whose requests are the most frequent.
import type { RequestListener } from 'node:http'
import express from 'express'
import { createDataEdge } from './data-edge.ts'
import { errorResponse, routeNotFound } from './errors.ts'
import { mountRoutes } from './mount.ts'
import { requestSteps } from './request-steps.ts'
import { retiredVersions } from './routes/retired-versions.ts'
import { routes } from './routes/index.ts'
import type { Services } from './services.ts'
import { studioFiles } from './static.ts'
import { webhookReceipts } from './webhook-receipts.ts'

export function createApp(services: Services): RequestListener {
  const { log, studioFolder, readiness } = services
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  const steps = requestSteps(services)
  app.use((request, response, next) => {
    steps(request, response)
    next()
  })
  // Before the routes: their paths are in the active generation, and below none of the routes.
  app.use(webhookReceipts(services))
  app.use(retiredVersions)
  app.use(mountRoutes(services, routes))
  if (studioFolder !== null) app.use(studioFiles(studioFolder))
  app.use(routeNotFound)
  const refuse = errorResponse(log, readiness)
  app.use(refuse)
  return createDataEdge(services, routes, { app, steps, refuse })
}
