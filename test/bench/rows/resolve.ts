// Resolution in process: keys, scope paths and dates, against the same chain written by hand.
import { answering } from '../support/answers.ts'
import { compare, type Timing } from '../support/compare.ts'
import { duration, times, type Line, type Part } from '../support/part.ts'
import { fast, full, sliceOf } from '../support/slices.ts'
import { oracle, parsedTariff, questionsOver, tariff, tariffEntries, tariffSet } from '../support/tariff.ts'
import { byHand } from './resolve-by-hand.ts'

const ranges = 6
const count = 20_000
const set = 'tariff'
/** The number of keys, and the chain. The target is for 200; a large set does not fit in the processor's caches. */
const workloads: readonly [number, string[]][] = [
  [200, ['org']],
  [200, ['environment', 'org']],
  [20_000, ['environment', 'org']],
]

export const resolvePart: Part = {
  name: 'resolve',
  title: 'Resolve, in process',
  async run({ say }) {
    const lines: Line[] = []
    for (const [keys, scopes] of workloads) {
      say(`resolve over ${scopes.join(', ')}, ${keys} keys`)
      lines.push(...(await againstTheLimit(keys, scopes)))
    }
    return {
      lines,
      notes: [
        'On every turn, all results of each side are compared with an oracle that reads all rows of the key.',
        'The limit is a `Map` look-up by key, one by environment and a binary search on day numbers; it checks nothing and returns a row of fields. Expressions call `resolveFast`. `resolve` takes a question with an ISO date, checks it, and returns set, scope, entry and values.',
      ],
    }
  },
}

async function againstTheLimit(size: number, scopes: string[]): Promise<Line[]> {
  const keys = tariff(size, ranges, scopes.length > 1)
  const questions = questionsOver(keys, ranges, count)
  const expected = oracle(keys, questions)
  const slice = sliceOf(parsedTariff(tariffSet(set, scopes), tariffEntries(set, keys)))
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
  const work = `${size.toLocaleString('en')} keys × ${ranges} ranges, ${chain}; 20,000 lookups`
  const against = `by hand ${each(limit)}`
  return [
    {
      what: '`resolveFast`',
      work,
      ours: each(ours),
      against,
      ratio: times(ours.ms / limit.ms),
      aim: size === 200 ? 'within 2× of the limit' : '',
      met: size === 200 ? ours.ms <= 2 * limit.ms : null,
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

/** Time of one resolution. */
function each({ ms }: Timing): string {
  return duration(ms / count)
}
