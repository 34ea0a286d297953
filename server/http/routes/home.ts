// The home page of the viewer.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { homeSchema } from '../schemas/home.ts'
import { homeView } from '../views/home.ts'

export const home = defineRoute({
  method: 'get',
  path: '/setup/v3/home',
  name: 'getHome',
  summary: 'Get what takes effect soon, what is waiting for you and what was applied recently',
  effect: 'reads',
  query: z.strictObject({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(366)
      .default(90)
      .meta({ description: 'Number of days after today to include, 1 to 366; default 90.' }),
  }),
  reply: homeSchema,
  errors: [],
  handle: ({ query, ...request }) => homeView(request, query.days),
})
