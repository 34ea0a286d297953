// Preparing: from definitions to a slice that resolves, and updating it when one entry changes.
import type { Digest } from '#kernel/change/index.ts'
import { resolveFast, updateSetSlice, type SetSlice } from '#kernel/config/index.ts'
import { compare, type Side } from '../support/compare.ts'
import { duration, type Line, type Part } from '../support/part.ts'
import { checker, sliceOf } from '../support/slices.ts'
import {
  entryOf,
  parsedTariff,
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
  async run({ say }) {
    say('prepare 100,000 entries')
    return {
      lines: await largeSet(),
      notes: [
        'After each turn, results from the slice are compared with the oracle. Activation of a whole org is under "One hundred thousand entries".',
      ],
    }
  },
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

/** Median milliseconds for building the slice after one entry of one key changed, each time from the previous slice. */
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
      if (found !== expected)
        throw new Error(`The changed entry resolves to ${String(found)}, not ${expected}.`)
      if (slice.rowsByKey.size !== keys.length) throw new Error('A key was lost.')
    },
  }
  const [timing] = await compare([side], { rounds: 21, warm: 3 })
  return timing!.ms
}
