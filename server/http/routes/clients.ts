// The registered clients of the org, with their limits and what they have used of them.
import { z } from 'zod'
import type { ClientsView } from '#wire/clients.ts'
import { rootClientsOf } from '../../access/index.ts'
import { createClientLimits } from '../../clients/index.ts'
import { defineRoute } from '../route.ts'

/** Of a client in responses. */
export const rootWords =
  'Whether it bypasses all access checks, because its user holds platform.root. The audit has when that began.'

const limits = z
  .object({ sustained: z.int(), burst: z.int(), concurrency: z.int() })
  .meta({ description: 'Requests per second, at once, and at the same time.' })
const amount = z.union([z.int(), z.string()])

const client = z.object({
  key: z.string(),
  label: z.string(),
  runAs: z.string(),
  authScheme: z.string(),
  deprecationWindowDays: z
    .int()
    .meta({ description: 'Days after its last use in which a field cannot be removed.' }),
  isRoot: z.boolean().meta({ description: rootWords }),
  rateLimit: z
    .object({ sustained: amount, burst: amount, concurrency: amount })
    .meta({ description: 'As declared: numbers, or percentages of the ceiling.' }),
  limits,
  left: z.int().meta({ description: 'Requests that the client can send now at once.' }),
  running: z.int(),
  requests: z.int().meta({ description: 'Since the server started.' }),
  refused: z.int().meta({ description: 'Requests above the limits, since the server started.' }),
  lastRequestAt: z.string().nullable(),
})

export const listClients = defineRoute({
  method: 'get',
  path: '/setup/v3/clients',
  name: 'listClients',
  summary: 'List the registered clients with their limits and requests',
  effect: 'reads',
  permission: 'operations.manage',
  reply: z.object({
    countedSince: z.string(),
    ceiling: limits.meta({ description: 'What all clients can use together.' }),
    clients: z.array(client),
  }),
  errors: ['access.denied'],
  handle: ({ services: { clientLimits, org, store }, shown, snapshot }): ClientsView => {
    // Without limits, nothing is counted.
    const counts = clientLimits ?? createClientLimits(() => 0)
    const now = Date.parse(org.clock.now())
    const ago = (ms: number): string => new Date(now - ms).toISOString()
    const roots = store.read((reader) => rootClientsOf(reader, snapshot.view))
    const clients = [...shown.list('integration_client')].map(({ key, label, body }) => {
      const { runAs, authScheme, deprecationWindowDays, rateLimit } = body
      const { idleMs, ...load } = counts.load(key, rateLimit)
      const lastRequestAt = idleMs === null ? null : ago(idleMs)
      const own = { key, label, runAs, authScheme, isRoot: roots.has(key), deprecationWindowDays, rateLimit }
      return { ...own, ...load, lastRequestAt }
    })
    return { countedSince: ago(counts.countedMs()), ceiling: counts.ceiling, clients }
  },
})
