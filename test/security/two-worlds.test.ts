// Two orgs that differ only in hidden content respond in the same way on every route, to every kind of user: one has
// longer values and more of them, one has different names, so that a requested name exists in one org and not in the
// other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../server/http/routes/index.ts'
import { leakOrg, people, type LeakOrg } from './leak-org.ts'
import { shotsOf, type Shot } from './leak-matrix.ts'

const renamed = (text: string): string => text.replace(/\bq([a-z]+_marker)/g, 'zz$1')
const asNamed = (text: string): string => text.replace(/\bzz([a-z]+_marker)/g, 'q$1')

let snapshot: LeakOrg
let longer: LeakOrg
let other: LeakOrg
beforeAll(async () => {
  snapshot = await leakOrg()
  longer = await leakOrg({ more: 'x'.repeat(37), further: 3 })
  other = await leakOrg({ named: renamed })
}, 120_000)
afterAll(async () => {
  for (const each of [snapshot, longer, other]) await each.close()
})

/** Streams, and requests that would remove what other requests need. */
const skipped: Record<string, readonly string[]> = {
  'viewed as nobody': ['signOut'],
  keeper: ['removeRemote'],
}

/** Users from whom the existence of a set is hidden. The keeper sees what only the remote has. */
const unknowing = ['nobody', 'author', 'reader', 'operator', 'anonymous', 'viewed as nobody']

/** Before the requests that the third org does not receive: until then, all have the same stored state. */
describe.each(unknowing)('%s gets the same response', (user) => {
  let result: Differences
  beforeAll(async () => {
    result = await differences(user, [longer, other], (shot) => !isShown(shot))
  }, 120_000)

  it('from both orgs', () => {
    expect(result[0]).toEqual([])
  })

  it('whether the requested name exists or not', () => {
    expect(result[1]).toEqual([])
  })
})

it.each(unknowing)('%s gets the same response from both orgs where the name is shown', async (user) => {
  expect(await differences(user, [longer], isShown)).toEqual([[]])
})

const knowing = Object.keys(people).filter((user) => !unknowing.includes(user))

it.each(knowing)('%s gets the same response from both orgs', async (user) => {
  expect(await differences(user, [longer])).toEqual([[]])
})

/** A user who adds a flag must know that its key is in use, and a request that adds a set is shown to others. */
function isShown({ route, path }: Shot): boolean {
  if (route === 'createChangeRequest') return true
  return (route === 'saveDraft' || route === 'discardDraft') && path.includes('/feature_flag/')
}

type Differences = { shot: Shot; one: string; other: string }[][]

/** For each of the orgs, how its responses differ from those of the first one. */
async function differences(
  user: string,
  orgs: readonly LeakOrg[],
  isSent: (shot: Shot) => boolean = () => true,
): Promise<Differences> {
  const apart = ['followEvents', 'subscribe', ...(skipped[user] ?? [])]
  const all = [snapshot, ...orgs]
  const result: Differences = orgs.map(() => [])
  for (const route of routes.filter(({ name }) => !apart.includes(name))) {
    const shots = all.map(({ material }) => shotsOf(route, material))
    expect(new Set(shots.map(({ length }) => length)).size).toBe(1)
    for (const [at, shot] of shots[0]!.entries()) {
      if (!isSent(shot)) continue
      const [answer, ...others] = await Promise.all(
        all.map((org, of) => answerTo(org, user, shots[of]![at]!)),
      )
      // A job of a remote continues next to its request.
      if (shot.path.includes('/remotes/')) await Promise.all(all.map((org) => org.rest()))
      for (const [of, otherAnswer] of others.entries()) {
        // Attempts are counted per minute of each server's clock, and a slow machine can reach a deadline on one of them.
        if ([answer!, otherAnswer].some((each) => /auth\.throttled|limit\.(deadline|busy)/.test(each)))
          continue
        if (answer !== otherAnswer) result[of]!.push({ shot, ...difference(answer!, otherAnswer) })
      }
    }
  }
  return result
}

/** Headers that differ between any two orgs or responses; positions are sealed, and the length depends on the moments and ids in the body. */
const ownHeaders = new Set(['x-almanac-position', 'date', 'x-correlation-id', 'set-cookie', 'content-length'])

async function answerTo(org: LeakOrg, user: string, { route, method, path, body }: Shot): Promise<string> {
  const sent: Record<string, string> =
    route === 'issueToken' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  const { status, text, headers } = await org.ask[user]!(method, path, body, sent)
  // Other counts depend on earlier requests.
  const gauges = /^almanac_(active_generation|slice_bytes) .*$/gm
  const shown =
    route === 'metrics'
      ? String(text.match(gauges))
      : route === 'listTrace' && status === 200
        ? withoutCounts(text)
        : text
  const named = [...headers].filter(([name]) => !ownHeaders.has(name)).map((header) => header.join(': '))
  return asNamed(plain([status, shown, ...named].join('\n')))
}

/** The requests of a client are counted per minute of each server's clock. */
function withoutCounts(text: string): string {
  const { events, ...page } = JSON.parse(text) as { events: { kind: string }[]; nextCursor: unknown }
  const shown = events.filter(({ kind }) => kind !== 'requests')
  return JSON.stringify({ ...page, nextCursor: null, events: shown })
}

/** Removes what differs between any two orgs: ids, digests, addresses, moments. */
function plain(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#id')
      .replace(/[\w-]{8}(?=\.\d+\.0:)/g, '#log')
      // The random end of the id of an event, in a cursor.
      .replace(/(?<=\d:\d+)~[0-9a-f]{6}/g, '~#mark')
      .replace(/[0-9a-f]{64}/g, '#digest')
      .replace(/\([0-9a-f]{4} [0-9a-f]{4}\)/g, '#short')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '#moment')
      .replace(/"nextCursor":"([\w-]+)"/g, (_, cursor: string) => `"nextCursor":"#${cursor.length}"`)
      .replace(/"ms":\d+/g, '"ms":0')
      // The use of a field is stored some time after its request.
      .replace(/was last used by [^"]* \(UTC\)/g, 'was last used by #uses')
      .replace(/^retry-after: \d+$/gm, 'retry-after: #')
      .replace(/Try again in \d+ seconds/g, 'Try again in #seconds')
      .replace(/127\.0\.0\.1:\d+/g, '#host')
      .replace(/almanac_(session|person)_\w+/g, '#session')
  )
}

function difference(one: string, other: string): { one: string; other: string } {
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 100)
  return { one: one.slice(from, at + 60), other: other.slice(from, at + 60) }
}
