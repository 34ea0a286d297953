// Resolution in process: questions of key, scope path and date against the same chain by hand, and against flag SDKs.
import { buildSetSlice, generationSlice, resolve, resolveFast, type SetSlice } from '#kernel/config/index.ts'
import { componentDigest, nobleSha256 } from '#kernel/change/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { answering } from '../support/answers.ts'
import { compare, type Side, type Timing } from '../support/compare.ts'
import { duration, times, type Line, type Part } from '../support/part.ts'
import { peers, withVersion } from '../support/peer.ts'
import {
  oracle,
  parsedTariff,
  questionsOver,
  tariff,
  tariffEntries,
  tariffSet,
  type Question,
  type TariffKey,
} from '../support/tariff.ts'
import { byHand } from './resolve-by-hand.ts'

const ranges = 6
const count = 20_000
const set = 'tariff'
/** How many keys, over which chain. A large set stands in shards, which must cost little. */
const workloads: readonly [number, string[]][] = [
  [200, ['org']],
  [200, ['environment', 'org']],
  [20_000, ['environment', 'org']],
]
const paths: Record<string, ScopePath> = { prod: { environment: 'prod' }, dev: { environment: 'dev' } }

export const resolvePart: Part = {
  name: 'resolve',
  title: 'Resolve, in process',
  async run({ peers: withPeers, say }) {
    const lines: Line[] = []
    for (const [keys, scopes] of workloads) {
      say(`resolve over ${scopes.join(', ')}, ${keys} keys`)
      lines.push(...(await againstTheLimit(keys, scopes)))
    }
    if (withPeers) lines.push(...(await againstPeers(say)))
    return {
      lines,
      notes: [
        'Every side answers all questions and is compared with an oracle that reads all rows of the key, on every turn.',
        'The limit is a `Map` look-up by key, one by environment and a binary search on day numbers; it checks nothing and answers a row of fields. `resolveFast` is what expressions call; `resolve` takes a question with an ISO date, checks it, and answers set, scope, entry and values.',
        'Each peer is asked in its own idiom, offline: the context holds the environment and the day as a number, which is the cheapest comparison each of them has; contexts are made before the clock starts.',
      ],
    }
  },
}

async function againstTheLimit(size: number, scopes: string[]): Promise<Line[]> {
  const keys = tariff(size, ranges, scopes.length > 1)
  const questions = questionsOver(keys, ranges, count)
  const expected = oracle(keys, questions)
  const slice = sliceOf(keys, scopes)
  const hand = byHand(keys, scopes.length > 1)
  const sides = [
    answering('limit', expected, (out) => {
      for (let at = 0; at < questions.length; at += 1) {
        const { key, env, day } = questions[at]!
        out[at] = hand(key, env, day)!.values['rate']!
      }
    }),
    fast(slice, questions, expected),
    full(slice, questions, expected),
  ]
  const [limit, ours, checked] = (await compare(sides, { rounds: 15, warm: 20, turns: 20 })) as [
    Timing,
    Timing,
    Timing,
  ]
  const chain = scopes.length === 1 ? 'one scope' : 'half with an override, two scopes'
  const work = `${size.toLocaleString('en')} keys × ${ranges} ranges, ${chain}; 20,000 questions`
  const against = `by hand ${each(limit)}`
  return [
    {
      what: '`resolveFast`',
      work,
      ours: each(ours),
      against,
      ratio: times(ours.ms / limit.ms),
      aim: 'within 2× of the limit',
      met: ours.ms <= 2 * limit.ms,
    },
    {
      what: '`resolve`, whole',
      work,
      ours: each(checked),
      against,
      ratio: times(checked.ms / limit.ms),
      aim: '',
      met: null,
    },
  ]
}

async function againstPeers(say: (text: string) => void): Promise<Line[]> {
  const keys = tariff(200, ranges, true)
  const questions = questionsOver(keys, ranges, count)
  const expected = oracle(keys, questions)
  const slice = sliceOf(keys, ['environment', 'org'])
  const all = await peers()
  const open = await Promise.all(all.map((peer) => peer.open(keys, questions)))
  say(`resolve against ${all.map(({ name }) => name).join(', ')}`)
  const sides = [
    full(slice, questions, expected),
    ...all.map((peer, at) => answering(withVersion(peer), expected, (out) => open[at]!.run(out))),
  ]
  const [ours, ...theirs] = await compare(sides, { rounds: 9, warm: 5 })
  await Promise.all(open.map((each) => each.close()))
  const fastest = Math.min(...theirs.map(({ ms }) => ms))
  const work = `200 keys × ${ranges} ranges, half with an override; 20,000 questions`
  return theirs.map((timing) => ({
    what: '`resolve`, whole',
    work,
    ours: each(ours!),
    against: `${timing.name} ${each(timing)}`,
    ratio: `${times(timing.ms / ours!.ms)} faster`,
    aim: timing.ms === fastest ? '3× faster than the fastest peer' : '',
    met: timing.ms === fastest ? timing.ms >= 3 * ours!.ms : null,
  }))
}

function sliceOf(keys: readonly TariffKey[], scopes: readonly string[]): SetSlice {
  const { set: definition, entries } = parsedTariff(tariffSet(set, scopes), tariffEntries(set, keys))
  return buildSetSlice(definition, entries, componentDigest(definition, nobleSha256))
}

function fast(slice: SetSlice, questions: readonly Question[], expected: readonly string[]): Side {
  const asked = questions.map(({ key, env, day }) => ({ key, path: paths[env]!, day }))
  return answering('resolveFast', expected, (out) => {
    for (let at = 0; at < asked.length; at += 1) {
      const { key, path, day } = asked[at]!
      out[at] = resolveFast(slice, key, path, day)!.values['rate'] as string
    }
  })
}

function full(slice: SetSlice, questions: readonly Question[], expected: readonly string[]): Side {
  const generation = generationSlice(1, new Map([[set, slice]]))
  const asked = questions.map(({ key, env, date }) => ({ set, key, scopePath: paths[env]!, asOf: date }))
  return answering('resolve', expected, (out) => {
    for (let at = 0; at < asked.length; at += 1)
      out[at] = resolve(generation, asked[at]!).values['rate'] as string
  })
}

/** Time of one question. */
function each({ ms }: Timing): string {
  return duration(ms / count)
}
