// Comparison with flag SDKs that also resolve a key, an environment and a day: preparing, and resolving.
import type { SetSlice } from '#kernel/config/index.ts'
import { answering } from '../support/answers.ts'
import { compare, type Side, type Timing } from '../support/compare.ts'
import { duration, times, type Line, type Part } from '../support/part.ts'
import { notInstalled, peers, withVersion, type Peer } from '../support/peer.ts'
import { checker, full, sliceOf } from '../support/slices.ts'
import {
  oracle,
  parsedTariff,
  questionsOver,
  tariff,
  tariffEntries,
  tariffSet,
  type TariffKey,
} from '../support/tariff.ts'

const ranges = 6
const count = 20_000
const definition = tariffSet('tariff', ['environment', 'org'])
const workload = `200 keys × ${ranges} ranges, half with an override`

export const peersPart: Part = {
  name: 'peers',
  title: 'Against flag SDKs, in process',
  async run({ say }) {
    const all = await peers()
    if (all.length === 0) return { lines: [], notes: [notInstalled] }
    const keys = tariff(200, ranges, true)
    say(`resolve and prepare against ${all.map(({ name }) => name).join(', ')}`)
    return {
      lines: [...(await resolving(all, keys)), ...(await preparing(all, keys))],
      notes: [
        'Each peer is called in its own idiom, offline. The context contains the environment and the day as a number, which is the cheapest comparison that each peer has; contexts are made before the clock starts. Ours is the whole `resolve`, with an ISO date that it parses. Every result of every turn is compared with the oracle.',
        '"From text" means that ours parses the JSON of every component, checks it, normalises it and materialises it; flagd-core parses its JSON, checks it and compiles its rules.',
      ],
    }
  },
}

async function resolving(all: readonly Peer[], keys: readonly TariffKey[]): Promise<Line[]> {
  const questions = questionsOver(keys, ranges, count)
  const expected = oracle(keys, questions)
  const slice = sliceOf(parsedTariff(definition, tariffEntries('tariff', keys)))
  const open = await Promise.all(all.map((peer) => peer.open(keys, questions)))
  const theirSides = all.map((peer, at) =>
    answering(withVersion(peer), expected, (out) => open[at]!.run(out)),
  )
  const sides = [full(slice, questions, expected), ...theirSides]
  const [ours, ...theirs] = (await compare(sides, { rounds: 9, warm: 5 })) as [Timing, ...Timing[]]
  await Promise.all(open.map((each) => each.close()))
  const fastest = Math.min(...theirs.map(({ ms }) => ms))
  return theirs.map(({ name, ms }) => ({
    what: '`resolve`, whole',
    work: `${workload}; 20,000 lookups`,
    ours: duration(ours.ms / count),
    against: `${name} ${duration(ms / count)}`,
    ratio: `${times(ms / ours.ms)} faster`,
    aim: ms === fastest ? '3× faster than the fastest peer' : '',
    met: ms === fastest ? ms >= 3 * ours.ms : null,
  }))
}

async function preparing(all: readonly Peer[], keys: readonly TariffKey[]): Promise<Line[]> {
  const preparers = all.filter(({ prepare }) => prepare !== undefined)
  const theirSides = preparers.map((peer): Side => {
    const text = peer.definitions!(keys)
    return { name: withVersion(peer), run: () => peer.prepare!(text) }
  })
  const [ours, ...theirs] = await compare([fromText(keys), ...theirSides], { rounds: 15, warm: 5 })
  return theirs.map(({ name, ms }) => ({
    what: 'parse and materialise',
    work: `${workload}, from text`,
    ours: duration(ours!.ms),
    against: `${name} ${duration(ms)}`,
    ratio: `${times(ms / ours!.ms)} faster`,
    aim: '',
    met: null,
  }))
}

function fromText(keys: readonly TariffKey[]): Side {
  const text = JSON.stringify(tariffEntries('tariff', keys))
  const check = checker(keys, ranges)
  let slice: SetSlice | null = null
  return {
    name: 'ours',
    run: () => void (slice = sliceOf(parsedTariff(definition, JSON.parse(text) as object[]))),
    check: () => check(slice!),
  }
}
