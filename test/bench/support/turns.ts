// Servers that take turns, and the lines of their rates.
import type { CompanyAsk, CompanyServer } from './company.ts'
import { roundsOf, timingOf } from './compare.ts'
import { times, type Line } from './part.ts'
import { load, type Load, type LoadOptions } from './served.ts'

const rounds = 7
export const turnMs = 1000

export interface Rate {
  /** Requests a second. */
  rate: number
  /** Processor microseconds of a request. */
  cpu: number
}

/** A limit that is not a server: returns its rate in one turn. */
export type Limit = () => number

/** The medians of each side, and the median rate of a limit that takes its turn after them. */
export async function inTurns(
  say: (text: string) => void,
  what: string,
  sides: readonly CompanyServer[],
  turn: (side: CompanyServer) => LoadOptions<CompanyAsk>,
  limit?: Limit,
): Promise<Rate[]> {
  const options = sides.map(turn)
  const loads = sides.map((): Load[] => [])
  const limits: number[] = []
  for (let round = 0; round <= roundsOf(rounds); round += 1) {
    say(`${what}, ${round} of ${roundsOf(rounds)}`)
    for (const [at, side] of sides.entries()) {
      const one = await load(side.served, options[at]!)
      // The first turn warms up.
      if (round > 0) loads[at]!.push(one)
    }
    const most = limit?.()
    if (most !== undefined && round > 0) limits.push(most)
  }
  const median = (values: readonly number[]): number => timingOf('', values).ms
  const rates = loads.map((each) => ({
    rate: median(each.map(({ requests, ms }) => (requests / ms) * 1000)),
    cpu: median(each.map(({ cpuEach }) => cpuEach)),
  }))
  return limit === undefined ? rates : [...rates, { rate: median(limits), cpu: NaN }]
}

export const rateOf = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`

type Compared = Omit<Line, 'what' | 'work'>

/** Next to a limit, of which ours should reach a share. */
export function rated(ours: number, name: string, limit: number, least: number): Compared {
  const ratio = ours / limit
  return {
    ...{ ours: rateOf(ours), against: `${name} ${rateOf(limit)}`, ratio: `${ratio.toPrecision(3)}×` },
    ...{ aim: `≥ ${least}×`, met: ratio >= least },
  }
}

/** Next to a peer. */
export function against(name: string, ours: number, theirs: number): Compared {
  const ratio = ours >= theirs ? `${times(ours / theirs)} faster` : `${times(theirs / ours)} slower`
  return { ours: rateOf(ours), against: `${name} ${rateOf(theirs)}`, ratio, aim: '', met: null }
}
