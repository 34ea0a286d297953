// Preparing: from definitions to something that answers, and keeping that ready when one entry changes.
import { componentDigest, nobleSha256, type Digest } from '#kernel/change/index.ts'
import { buildSetSlice, resolveFast, updateSetSlice, type SetSlice } from '#kernel/config/index.ts'
import { compare, type Side } from '../support/compare.ts'
import { duration, times, type Line, type Part } from '../support/part.ts'
import { peers, withVersion } from '../support/peer.ts'
import {
  entryOf,
  oracle,
  parsedTariff,
  questionsOver,
  tariff,
  tariffEntries,
  tariffSet,
  type ParsedTariff,
  type TariffKey,
} from '../support/tariff.ts'

const set = 'tariff'
const scopes = ['environment', 'org']

export const preparePart: Part = {
  name: 'prepare',
  title: 'Prepare',
  async run({ peers: withPeers, say }) {
    say('prepare 200 keys')
    const lines = await smallSet(withPeers)
    say('prepare 100,000 entries')
    lines.push(...(await largeSet()))
    return {
      lines,
      notes: [
        'From text means: parse the JSON of every component, check it, normalise it, materialise; flagd-core parses its JSON, checks it and compiles its rules.',
        'After each turn the slice answers questions, compared with the oracle. Activation of a whole org stands under "One hundred thousand entries".',
      ],
    }
  },
}

async function smallSet(withPeers: boolean): Promise<Line[]> {
  const keys = tariff(200, 6, true)
  const text = JSON.stringify([tariffSet(set, scopes), ...tariffEntries(set, keys)])
  const work = '200 keys × 6 ranges, half with an override, from text'
  const check = checker(keys, 6)
  let slice: SetSlice | null = null
  const ours: Side = {
    name: 'ours',
    run: () => {
      const [definition, ...entries] = JSON.parse(text) as [object, ...object[]]
      slice = sliceOf(parsedTariff(definition, entries))
    },
    check: () => check(slice!),
  }
  const flagd = withPeers ? (await peers()).find(({ prepare }) => prepare !== undefined) : undefined
  if (flagd === undefined) {
    const [own] = await compare([ours], { rounds: 15, warm: 5 })
    return [
      {
        what: 'parse and materialise',
        work,
        ours: duration(own!.ms),
        against: '',
        ratio: '',
        aim: '',
        met: null,
      },
    ]
  }
  const theirText = flagd.definitions!(keys)
  const sides = [ours, { name: flagd.name, run: () => flagd.prepare!(theirText) }]
  const [own, theirs] = await compare(sides, { rounds: 15, warm: 5 })
  return [
    {
      what: 'parse and materialise',
      work,
      ours: duration(own!.ms),
      against: `${withVersion(flagd)} ${duration(theirs!.ms)}`,
      ratio: `${times(theirs!.ms / own!.ms)} faster`,
      aim: '',
      met: null,
    },
  ]
}

async function largeSet(): Promise<Line[]> {
  const keys = tariff(20_000, 5, false)
  const parsed = parsedTariff(tariffSet(set, scopes), tariffEntries(set, keys))
  const check = checker(keys, 5)
  let slice: SetSlice | null = null
  const build: Side = {
    name: 'materialise',
    run: () => void (slice = sliceOf(parsed)),
    check: () => check(slice!),
  }
  const [built] = await compare([build], { rounds: 7, warm: 2 })
  const changed = await oneKeyChanged(keys, sliceOf(parsed), parsed)
  const work = '100,000 entries of 20,000 keys, parsed'
  return [
    {
      what: 'materialise',
      work,
      ours: duration(built!.ms),
      against: '',
      ratio: '',
      aim: '≤ 1 s',
      met: built!.ms <= 1000,
    },
    {
      what: 'one entry changed',
      work,
      ours: duration(changed),
      against: '',
      ratio: '',
      aim: '≤ 20 ms',
      met: changed <= 20,
    },
  ]
}

/** Median milliseconds of the slice after one entry of one key changed, each time over the slice before. */
async function oneKeyChanged(
  keys: readonly TariffKey[],
  first: SetSlice,
  { set: definition }: ParsedTariff,
): Promise<number> {
  let slice = first
  let turn = 0
  let expected = ''
  const { key, rows } = keys[12_345]!
  const side: Side = {
    name: 'update',
    run: () => {
      turn += 1
      expected = `${turn}.00`
      const last = rows.length - 1
      const now = rows.map((row, at) => entryOf(set, key, at === last ? { ...row, value: expected } : row))
      const { entries } = parsedTariff(tariffSet(set, scopes), now)
      slice = updateSetSlice(slice, definition, [{ key, entries }], `${slice.digest}` as Digest)
    },
    check: () => {
      const found = resolveFast(slice, key, {}, rows.at(-1)!.from)?.values['rate']
      if (found !== expected) throw new Error(`The changed entry answers ${String(found)}, not ${expected}.`)
      if (slice.rowsByKey.size !== keys.length) throw new Error('A key was lost.')
    },
  }
  const [timing] = await compare([side], { rounds: 21, warm: 3 })
  return timing!.ms
}

function sliceOf({ set: definition, entries }: ParsedTariff): SetSlice {
  return buildSetSlice(definition, entries, componentDigest(definition, nobleSha256))
}

function checker(keys: readonly TariffKey[], ranges: number): (slice: SetSlice) => void {
  const questions = questionsOver(keys, ranges, 1000)
  const expected = oracle(keys, questions)
  return (slice) => {
    for (const [at, { key, env, day }] of questions.entries()) {
      const found = resolveFast(slice, key, { environment: env }, day)?.values['rate']
      if (found !== expected[at]) throw new Error(`${key} answers ${String(found)}, not ${expected[at]}.`)
    }
  }
}
