// Apps as the caller can see them.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { appDescription, appSummary } from '../schemas/records.ts'
import { callerOf } from '../views/record-caller.ts'

export const listApps = defineRoute({
  method: 'get',
  path: '/setup/v3/apps',
  name: 'listApps',
  summary: 'List the apps that you can use, in their order',
  effect: 'reads',
  reply: z.object({ apps: z.array(appSummary) }),
  errors: [],
  handle: (request) => ({ apps: request.services.records.apps(callerOf(request)) }),
})

export const getApp = defineRoute({
  method: 'get',
  path: '/setup/v3/apps/{app}',
  name: 'getApp',
  summary: 'Get the objects, pages and flows of an app, without what you cannot read',
  effect: 'reads',
  params: z.strictObject({ app: z.string().min(1).max(80).meta({ description: 'The key of an app.' }) }),
  reply: appDescription,
  errors: ['app.not_found'],
  handle: (request) => request.services.records.app(callerOf(request), request.params.app),
})
