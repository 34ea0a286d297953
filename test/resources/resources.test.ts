// No single request makes a reader wait, or the process grow: the worst bodies of every route, against a real server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'
import { measuredServer, type Cost, type MeasuredServer, type Sent } from './measured-server.ts'
import { longQueries, specialBodies } from './special-bodies.ts'
import { worstBodiesOf } from './worst-bodies.ts'

/** Milliseconds that a reader may wait for one request of somebody else, beyond what the machine makes it wait. */
const mostWait = 50
/** Megabytes. */
const mostGrown = 300
/** What is over a bound is measured again: a busy machine is not a fault. */
const attempts = 3

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer()
})
afterAll(() => server.close())

interface Row extends Cost {
  route: string
  kind: string
}

const rows: Row[] = []

/** A wait that the thread did not spend working is the machine's. */
const waitOf = ({ wait, beside, own }: Cost): number => Math.max(0, Math.min(wait - beside, own))
const isOver = (cost: Cost): boolean => waitOf(cost) > mostWait || cost.grown > mostGrown || cost.status === 0

async function leastCost(on: MeasuredServer, sent: Sent): Promise<Cost> {
  let least = await on.cost(sent)
  for (let again = 1; again < attempts && isOver(least); again += 1) {
    const next = await on.cost(sent)
    if (!isOver(next) || waitOf(next) + next.grown < waitOf(least) + least.grown) least = next
  }
  return least
}

async function measure(route: string, kind: string, sent: Sent): Promise<void> {
  const cost = await leastCost(server, sent)
  rows.push({ route, kind, ...cost })
  const words = `${kind}: ${cost.status} ${cost.code}, waited ${cost.wait.toFixed(0)} ms (bystander ${cost.beside.toFixed(0)}, own ${cost.own.toFixed(0)}), grew ${cost.grown.toFixed(0)} MB, took ${cost.ms.toFixed(0)} ms`
  expect.soft(isOver(cost), words).toBe(false)
  expect.soft(cost.status, words).not.toBe(500)
}

/** Placeholders filled with what the sample has. */
function pathOf({ path }: Route): string {
  const values: Record<string, string> = { type: 'config_set', key: 'vat_rate', set: 'vat_rate', generation: '1' }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none')
}

function queryNames(route: Route): string[] {
  if (route.query === undefined) return []
  const schema = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>
  }
  return Object.keys(schema.properties ?? {})
}

/** Ends the session, the server's own work elsewhere, or an endless answer. */
const leftOut = new Set(['signOut', 'events', 'followEvents'])

const measured = routes.filter(({ name }) => !leftOut.has(name) && !name.toLowerCase().includes('event'))

describe('the worst body of', () => {
  const withBody = measured.filter(({ body }) => body !== undefined)
  it.each(withBody.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    '%s costs others nothing',
    async (name, route) => {
      const method = route.method.toUpperCase()
      for (const { kind, body, headers } of worstBodiesOf(route))
        await measure(name, kind, { method, path: pathOf(route), body, headers })
    },
  )
})

describe('the worst query of', () => {
  const withoutBody = measured.filter(({ method, body }) => method === 'get' && body === undefined)
  it.each(withoutBody.map((route) => [`GET ${route.path}`, route] as const))(
    '%s costs others nothing',
    async (name, route) => {
      await measure(name, 'no query', { method: 'GET', path: pathOf(route) })
      for (const query of queryNames(route))
        for (const long of longQueries)
          await measure(name, `a long ${query}`, { method: 'GET', path: `${pathOf(route)}?${query}=${long}` })
    },
  )
})

describe('what was found by hand', () => {
  it.each(specialBodies.map((each) => [`${each.name} to ${each.path}`, each] as const))(
    '%s costs others nothing',
    async (_, { method = 'POST', path, name, body, headers }) => {
      await measure(`${method} ${path}`, name, { method, path, body: body(), headers })
    },
  )
})

describe('the suite itself', () => {
  it('finds a route that blocks for 200 ms, and one that takes 400 MB', async () => {
    const faulty = await measuredServer(true)
    try {
      const body = Buffer.from('{"text":"x"}')
      const blocks = await faulty.cost({ method: 'POST', path: '/planted/blocks', body })
      expect([blocks.status, blocks.own > mostWait, blocks.wait > mostWait]).toEqual([200, true, true])
      const allocates = await faulty.cost({ method: 'POST', path: '/planted/allocates', body })
      expect([allocates.status, allocates.grown > mostGrown]).toEqual([200, true])
    } finally {
      await faulty.close()
    }
  })

  afterAll(() => {
    const byRoute = Map.groupBy(rows, ({ route }) => route)
    const worst = [...byRoute].map(([route, costs]) => ({
      route,
      wait: costs.reduce((a, b) => (waitOf(a) >= waitOf(b) ? a : b)),
      grown: costs.reduce((a, b) => (a.grown >= b.grown ? a : b)),
      slow: costs.reduce((a, b) => (a.ms >= b.ms ? a : b)),
    }))
    worst.sort((a, b) => waitOf(b.wait) - waitOf(a.wait))
    const line = ({ route, wait, grown, slow }: (typeof worst)[number]): string =>
      [
        route,
        `wait ${waitOf(wait).toFixed(0)} ms (${wait.kind})`,
        `memory ${grown.grown.toFixed(0)} MB (${grown.kind})`,
        `time ${slow.ms.toFixed(0)} ms (${slow.kind}: ${slow.status} ${slow.code})`,
      ].join(' | ')
    process.stdout.write(`${['The worst of each route:', ...worst.map(line)].join('\n')}\n`)
  })
})
