// The lower bound of resolution: the same chain hard-coded for this one shape, without checks or names.
import type { Row, TariffKey } from '../support/tariff.ts'

interface HandRow {
  from: number
  to: number
  /** All fields of the row, as an entry has them. */
  values: Record<string, string>
}

interface HandKey {
  org: HandRow[]
  environments: Map<string, HandRow[]> | null
}

/** The row of a key in an environment on a day. */
export function byHand(
  keys: readonly TariffKey[],
  twoScopes: boolean,
): (key: string, env: string, day: number) => HandRow | null {
  const byKey = new Map(keys.map(({ key, rows }): [string, HandKey] => [key, handKey(rows)]))
  if (!twoScopes) return (key, _env, day) => onDay(byKey.get(key)!.org, day)
  return (key, env, day) => {
    const { org, environments } = byKey.get(key)!
    const lane = environments?.get(env)
    const row = lane === undefined ? null : onDay(lane, day)
    return row ?? onDay(org, day)
  }
}

function handKey(rows: readonly Row[]): HandKey {
  const lane = (env: string | null): HandRow[] =>
    rows
      .filter((row) => row.env === env)
      .map(({ from, to, value }) => ({ from, to: to ?? Infinity, values: { rate: value } }))
  const prod = lane('prod')
  return { org: lane(null), environments: prod.length === 0 ? null : new Map([['prod', prod]]) }
}

function onDay(lane: readonly HandRow[], day: number): HandRow | null {
  let low = 0
  let high = lane.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const row = lane[middle]!
    if (day < row.from) high = middle - 1
    else if (day >= row.to) low = middle + 1
    else return row
  }
  return null
}
