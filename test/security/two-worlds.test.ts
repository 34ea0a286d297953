// Two orgs that differ only in what is hidden answer every route alike, to every kind of user.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../server/http/routes/index.ts'
import { leakOrg, people, type LeakOrg } from './leak-org.ts'
import { shotsOf, type Shot } from './leak-matrix.ts'

let worlds: LeakOrg[]
beforeAll(async () => {
  worlds = [await leakOrg(), await leakOrg('x'.repeat(37))]
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

/** Streams, and what would end what the other requests ask for. */
const skipped: Record<string, readonly string[]> = {
  'viewed as nobody': ['signOut'],
  keeper: ['removeRemote'],
}

it.each([...Object.keys(people), 'anonymous', 'viewed as nobody'])(
  'answers %s as the other does',
  async (user) => {
    const apart = ['followEvents', ...(skipped[user] ?? [])]
    const differences: unknown[] = []
    for (const route of routes.filter(({ name }) => !apart.includes(name))) {
      const [shots, others] = worlds.map(({ material }) => shotsOf(route, material)) as [Shot[], Shot[]]
      expect(others.length).toBe(shots.length)
      for (const [at, shot] of shots.entries()) {
        const one = await answerTo(worlds[0]!, user, shot)
        const other = await answerTo(worlds[1]!, user, others[at]!)
        if (one !== other) differences.push({ shot, ...difference(one, other) })
      }
    }
    expect(differences).toEqual([])
  },
)

async function answerTo(world: LeakOrg, user: string, { route, method, path, body }: Shot): Promise<string> {
  const headers: Record<string, string> =
    route === 'issueToken' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  const { status, text } = await world.ask[user]!(method, path, body, headers)
  // Other counts are of what was asked before.
  const gauges = /^almanac_(active_generation|slice_bytes) .*$/gm
  return `${status} ${route === 'metrics' ? String(text.match(gauges)) : plain(text)}`
}

/** Without what differs between any two orgs: ids, digests, addresses, moments. */
function plain(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#id')
    .replace(/[0-9a-f]{64}/g, '#digest')
    .replace(/\([0-9a-f]{4} [0-9a-f]{4}\)/g, '#short')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '#moment')
    .replace(/"ms":\d+/g, '"ms":0')
    .replace(/127\.0\.0\.1:\d+/g, '#host')
    .replace(/almanac_(session|person)_\w+/g, '#session')
}

function difference(one: string, other: string): { one: string; other: string } {
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 100)
  return { one: one.slice(from, at + 60), other: other.slice(from, at + 60) }
}
