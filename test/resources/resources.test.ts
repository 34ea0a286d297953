// No single request delays other users or makes the process grow: the worst requests of every route, generated from its
// declaration, against a real server with a large org. The bounds and how they are measured: bounds.ts.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'
import { bundled } from '../support/bundled.mjs'
import { BodySizes } from './body-sizes.ts'
import { attempts, breaches, burden } from './bounds.ts'
import { compareWithFar, farKey, farOrg, type FarOrg } from './far-org.ts'
import { largeSet } from './large-org.ts'
import { leastCost } from './least-cost.ts'
import { measuredServer, type Cost, type MeasuredServer, type SentRequest } from './measured-server.ts'
import { mostAsked } from './most-asked.ts'
import { remoteRequests } from './remote-jobs.ts'
import { specialBodies } from './special-bodies.ts'
import { worstBodiesOf } from './worst-bodies.ts'
import { pathOf, worstAddresses, type OrgNames } from './worst-queries.ts'

let org: string
let server: MeasuredServer
let far: FarOrg
let names: OrgNames
beforeAll(async () => {
  org = mkdtempSync(join(tmpdir(), 'almanac-large-'))
  const [code] = await once(fork(bundled('vitest', 'large-org-process'), [org, resolve(import.meta.dirname, '../..')]), 'exit')
  expect(code).toBe(0)
})
afterAll(async () => {
  await server?.close()
  await far?.server.close()
  rmSync(org, { recursive: true, force: true })
})

/**
 * The routes that write, and bodies that the same code has read for another route, take several minutes more: a row of
 * `npm run test:long`.
 */
const everything = process.env['RESOURCES'] === 'all'

interface Row extends Cost {
  route: string
  kind: string
}

const rows: Row[] = []

/** The lowest cost of a request here, and of the work that it starts on the remote. */
async function leastOfBoth(make: () => Promise<SentRequest>): Promise<{ here: Cost; there: Cost }> {
  let least: { here: Cost; there: Cost } | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const sent = await make()
    await Promise.all([server.collect(), far.server.collect()])
    const [here, watched] = await far.server.watched(() => server.cost(sent))
    const remoteCost = { ...here, ...watched }
    least = {
      here: least === undefined || burden(here) < burden(least.here) ? here : least.here,
      there: least === undefined || burden(remoteCost) < burden(least.there) ? remoteCost : least.there,
    }
    if ([least.here, least.there].every((cost) => breaches(cost).length === 0)) break
  }
  return least!
}

function note(route: string, kind: string, cost: Cost): void {
  rows.push({ route, kind, ...cost })
  expect
    .soft(breaches(cost).join(', '), `${kind}: ${cost.status} ${cost.code}, took ${cost.ms.toFixed(0)} ms`)
    .toBe('')
}

async function measure(route: string, kind: string, make: () => SentRequest | Promise<SentRequest>): Promise<Cost> {
  const cost = await leastCost(server, make)
  note(route, kind, cost)
  return cost
}

/** Ends the session, or never ends its response. */
const leftOut = new Set(['signOut', 'followEvents', 'subscribe', 'openSession'])

const measured = routes.filter(({ name }) => !leftOut.has(name))
const titled = (chosen: readonly Route[]): [string, Route][] =>
  chosen.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route])

describe('the first requests after a start', () => {
  const first = [
    '/openapi.json',
    '/setup/v3/home',
    '/setup/v3/rooms',
    '/metadata/v3/components',
    `/metadata/v3/components/config_set/${largeSet}/entries`,
    '/setup/v3/search?q=key',
  ]

  it.each(first)('%s delays no other user', async (path) => {
    let least: Cost | undefined
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const cold = await measuredServer({ org })
      // The growth of the process is its start.
      const cost = { ...(await cold.cost({ method: 'GET', path })), grown: 0 }
      await cold.close()
      if (least === undefined || burden(cost) < burden(least)) least = cost
      if (breaches(least).length === 0) break
    }
    note('the first request', path, least!)
  })
})

describe('on a large org', () => {
  beforeAll(async () => {
    far = await farOrg(org)
    server = await measuredServer({ org })
    await server.ask('POST', '/setup/v3/remotes', far.remote)
    await compareWithFar(server)
    names = await namesOf(server)
  })

  describe('the worst URLs of', () => {
    it.each(titled(measured.filter(({ method }) => method === 'get')))('%s delay no other user', async (_, route) => {
      for (const { kind, path, headers } of worstAddresses(route, names))
        await measure(route.name, kind, () => ({ method: 'GET', path, headers }))
    })
  })

  const withBody = measured.filter(({ body }) => body !== undefined)

  describe('the worst bodies of', () => {
    const sizes = new BodySizes(everything)

    it.each(titled(withBody))('%s delays no other user', async (_, route) => {
      const method = route.method.toUpperCase()
      for (const { kind, body, headers } of worstBodiesOf(route, sizes))
        await measure(route.name, kind, () => ({ method, path: pathOf(route, names), body, headers }))
    })
  })

  describe('bodies that were found by hand', () => {
    it.each(specialBodies.map((each) => [`${each.name} to ${each.path}`, each] as const))(
      '%s delays no other user',
      async (_, { method = 'POST', path, name, body, headers, resets }) => {
        const bytes = body()
        await measure(`${method} ${path}`, name, async () => {
          if (resets !== undefined) await server.ask('DELETE', resets).catch(() => undefined)
          return { method, path, body: bytes, headers }
        })
      },
    )
  })

  // From here on, requests change the org.
  describe('the largest requests to a remote', () => {
    it.each(remoteRequests.map((each) => [`${each.route}, ${each.kind}`, each] as const))(
      '%s: delays no other user, here and there',
      async (_, { route, kind, make }) => {
        const { here, there } = await leastOfBoth(() => make({ server, far }))
        note(route, kind, here)
        note(`${route}, at the remote`, kind, there)
        expect(here.status, here.code).toBeLessThan(400)
      },
    )
  })

  describe.runIf(everything)('the largest request of', () => {
    const writing = new Map(measured.filter(({ method, body }) => method !== 'get' || body !== undefined).map((route) => [route.name, route]))

    it('every route is measured', () => {
      const routeNames = [...Object.keys(mostAsked), ...remoteRequests.map(({ route }) => route)]
      expect([...new Set(routeNames)].filter((name) => writing.has(name)).sort()).toEqual([...writing.keys()].sort())
    })

    it.each(titled(Object.keys(mostAsked).map((name) => writing.get(name)!)))('%s delays no other user', async (_, route) => {
      let refused: string | undefined
      const { status, code } = await measure(route.name, 'the most', async () => {
        const { at, query, body, headers, ...most } = await mostAsked[route.name]!({ server, far, names })
        refused = most.refused
        return {
          method: route.method.toUpperCase(),
          path: `${pathOf(route, names, at)}${query === undefined ? '' : `?${query}`}`,
          body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
          headers,
        }
      })
      if (refused === undefined) expect(status, code).toBeLessThan(400)
      else expect(code).toBe(refused)
    })
  })
})

async function namesOf({ ask }: MeasuredServer): Promise<OrgNames> {
  const read = (path: string): Promise<Record<string, { id: string; generation: number }[]>> => ask('GET', path)
  const { generations } = await read('/metadata/v3/generations?limit=2')
  const { results } = await read('/setup/v3/results?limit=1')
  const { requests } = await read('/metadata/v3/change-requests?limit=1')
  const { jobs } = await read(`/setup/v3/remotes/${farKey}/jobs`)
  return {
    set: largeSet,
    generation: generations![1]!.generation,
    ...{ request: requests![0]!.id, result: results![0]!.id, job: jobs![0]!.id },
    viewer: 'mara',
  }
}

afterAll(() => {
  const worst = [...Map.groupBy(rows, ({ route }) => route)].map(([route, costs]) => ({
    route,
    work: costs.reduce((a, b) => (a.work >= b.work ? a : b)),
    grown: costs.reduce((a, b) => (a.grown >= b.grown ? a : b)),
    slow: costs.reduce((a, b) => (a.ms >= b.ms ? a : b)),
  }))
  worst.sort((a, b) => b.work.work - a.work.work)
  const lines = worst.map(({ route, work, grown, slow }) =>
    [
      route,
      `work ${work.work.toFixed(0)} ms (${work.kind})`,
      `memory ${grown.grown.toFixed(0)} MB (${grown.kind})`,
      `time ${slow.ms.toFixed(0)} ms (${slow.kind}: ${slow.status} ${slow.code})`,
    ].join(' | '),
  )
  process.stdout.write(`${['The worst of each route:', ...lines].join('\n')}\n`)
})
