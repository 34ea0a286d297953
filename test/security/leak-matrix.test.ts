// Every route and every kind of user: nothing hidden from a user is in any response, header, event or error.
import { z } from 'zod'
import express from 'express'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePublicRoute, type Route } from '../../server/http/route.ts'
import { mountRoutes } from '../../server/http/mount.ts'
import { routes } from '../../server/http/routes/index.ts'
import type { Services } from '../../server/http/services.ts'
import type { Ask } from '../support/running-server.ts'
import { kinds, leakOrg, people, type Kind, type LeakOrg } from './leak-org.ts'
import { markersIn, leaksOf, shotsOf, unasked, type Leak } from './leak-matrix.ts'

let org: LeakOrg

beforeAll(async () => {
  org = await leakOrg()
})
afterAll(() => org.close())

/**
 * Who can see what: the shape of a set is shown to users who can shape or grant, a request to those who can approve.
 */
const mayKnow: Record<string, readonly Kind[]> = {
  shaper: ['set', 'definition', 'request'],
  granter: ['set', 'definition', 'request'],
  approver: ['request'],
  // The audit shows who changed what and why. It contains neither the label nor the values of a hidden set.
  keeper: ['remote'],
  auditor: ['set', 'entry', 'request', 'generation', 'remote'],
}
/** Requests that would remove what other requests need: the session of the administrator, the remote. */
const ending: Record<string, readonly string[]> = {
  'viewed as nobody': ['signOut'],
  keeper: ['removeRemote'],
}
const users = [...Object.keys(people), 'anonymous', 'viewed as nobody']
/** These respond with streams, which are tested below. */
const streams = new Set(['followEvents', 'subscribe'])
const requestRoutes = routes.filter(({ name }) => !streams.has(name))

const hiddenFrom = (user: string): string[] =>
  kinds.flatMap((kind) => (mayKnow[user]?.includes(kind) === true ? [] : org.markers[kind]))

/** All codes with which each route responded: a request that cannot be parsed tests nothing. */
const answers = new Map<string, Set<string>>()

async function leaksTo(user: string, over: readonly Route[]): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const route of over.filter(({ name }) => ending[user]?.includes(name) !== true))
    for (const shot of shotsOf(route, org.material))
      leaks.push(...(await leaksOf(noted(shot.route, org.ask[user]!), shot, hiddenFrom(user))))
  return leaks
}

function noted(route: string, ask: Ask): Ask {
  return async (...sent) => {
    const answer = await ask(...sent)
    const code = (answer.body as { code?: string } | undefined)?.code ?? String(answer.status)
    answers.set(route, (answers.get(route) ?? new Set()).add(code))
    return answer as never
  }
}

describe('the leak matrix', () => {
  it('has a request for every route', () => {
    expect(unasked(routes, org.material)).toEqual([])
  })

  it.each(users)('shows nothing that is hidden to %s', async (user) => {
    expect(await leaksTo(user, requestRoutes)).toEqual([])
  })

  it('sends each route a request that it can parse', () => {
    const unread = [...answers].filter(([, codes]) =>
      [...codes].every((code) => code.startsWith('request.') || code === 'auth.required'),
    )
    expect(unread.map(([route, codes]) => [route, ...codes])).toEqual([])
  })

  it('sends no event of hidden content', async () => {
    await org.stir()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const leaks = Object.entries(org.events).flatMap(([user, readEvents]) =>
      markersIn(readEvents(), hiddenFrom(user)).map((marker) => `${user}: ${marker}`),
    )
    expect(leaks).toEqual([])
  })

  it('finds its markers: the administrator sees each of them in some response', async () => {
    const seen = new Set<string>()
    const all = Object.values(org.markers).flat()
    for (const route of requestRoutes.filter(({ method }) => method === 'get'))
      for (const { method, path } of shotsOf(route, org.material))
        for (const marker of markersIn((await org.test.studio(method, path)).text, all)) seen.add(marker)
    for (const marker of [
      ...['qvalue_marker', 'qlabel_marker', 'qtitle_marker', 'qdraftvalue_marker'],
      ...['qgenerationrationale_marker', 'qremotename_marker', 'qremotevalue_marker'],
      ...['qpastvalue_marker', 'qpastdraft_marker', 'qpastapplied_marker', 'qpastrationale_marker'],
      ...['qremadevalue_marker', 'qgonevalue_marker', 'qpastresult_marker'],
      ...org.markers.changes,
    ])
      expect([...seen]).toContain(marker)
  })

  it('reports a leak that is planted, in a body and in a header', async () => {
    const leaky = definePublicRoute({
      method: 'get',
      path: '/setup/v3/leaky/{set}',
      name: 'leaky',
      summary: 'Leaks',
      reply: z.object({ value: z.string() }),
      errors: [],
      handle: ({ raw }) => {
        raw.response.setHeader('X-Hint', 'qslug_marker')
        return { value: 'qvalue_marker' }
      },
    })
    const app = express().use(mountRoutes({ checkReplies: false } as Services, [leaky]))
    const server = app.listen(0)
    const { port } = server.address() as AddressInfo
    const ask: typeof org.test.plain = async (method, path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
      return { status: answer.status, headers: answer.headers, text: await answer.text(), body: {} as never }
    }
    const leaks: Leak[] = []
    for (const shot of shotsOf(leaky, org.material))
      leaks.push(...(await leaksOf(ask, shot, hiddenFrom('nobody'))))
    server.close()
    expect(new Set(leaks.map(({ marker }) => marker))).toEqual(new Set(['qslug_marker', 'qvalue_marker']))
  })

  it('lists a route for which no request can be built', () => {
    const parameters = { ...org.material, parameters: {} }
    const unknown = {
      ...requestRoutes[0]!,
      path: '/setup/v3/unknown/{thing}',
      name: 'unknown',
      body: undefined,
    }
    expect(unasked([unknown], parameters)).toEqual(['unknown'])
  })
})
