// Lists of components for the large org.
import { entryOf, tariff } from '../bench/support/tariff.ts'
import { largeOrgTerms, largeSet } from './large-org.ts'

export interface Entry {
  type: string
  key: string
  body: { values: object }
}

/** All entries of some keys, with a different value. */
function entriesOf(keys: (at: number) => boolean, rate: string): Entry[] {
  return tariff(largeOrgTerms.keys, largeOrgTerms.ranges, false)
    .filter((_, at) => keys(at))
    .flatMap(({ key, rows }) =>
      rows.map((row) => {
        const entry = entryOf(largeSet, key, row) as Entry
        return { ...entry, body: { ...entry.body, values: { rate, currency: 'EUR' } } }
      }),
    )
}

/** The entries of every tenth key. */
export function changedEntries(rate: string): Entry[] {
  return entriesOf((at) => at % 10 === 0, rate)
}

/** This many entries, of the last keys, which have no drafts. Every tenth key can have a draft taken from a remote. */
export function undraftedEntries(count: number, rate: string): Entry[] {
  const first = largeOrgTerms.keys - Math.ceil((count / largeOrgTerms.ranges) * (10 / 9))
  return entriesOf((at) => at >= first && at % 10 !== 0, rate).slice(0, count)
}

export function idOf({ type, key }: { type: string; key: string }): string {
  return `${type}/${key}`
}
