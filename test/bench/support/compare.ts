// Sides of one comparison, run A B A B in one process, so that a change in the machine's speed affects all of them
// equally.

export interface Side {
  name: string
  /** One turn of the work. Its answer must not depend on the turn. */
  run(): void | Promise<void>
  /** Throws if the last turn's answer was wrong. Not timed. */
  check?(): void | Promise<void>
  /** Not timed; before each turn. */
  before?(): void | Promise<void>
}

export interface Timing {
  name: string
  /** Median milliseconds of one turn. */
  ms: number
  fastest: number
  slowest: number
  rounds: number
}

export interface CompareOptions {
  /** At least 7, for a meaningful median. */
  rounds?: number
  /** Untimed rounds first, to warm up the compiler. Their answers are checked too. */
  warm?: number
  /** Turns that are timed together if one is too short for the clock. */
  turns?: number
}

let quick = false

/** From now on one turn per side and no warm-up: to check that everything runs, not how fast. */
export function beQuick(): void {
  quick = true
}

/** The number of rounds, given how many a figure needs. */
export function roundsOf(rounds: number): number {
  return quick ? 1 : rounds
}

/** Medians of all sides, in the order passed. A wrong answer throws before any time counts. */
export async function compare(sides: readonly Side[], options: CompareOptions = {}): Promise<Timing[]> {
  const { rounds = 7, warm = 2, turns = 1 } = options
  for (let round = 0; round < (quick ? 0 : warm); round += 1) for (const side of sides) await timed(side, 1)
  const times = sides.map((): number[] => [])
  for (let round = 0; round < roundsOf(rounds); round += 1)
    for (const [at, side] of sides.entries()) times[at]!.push((await timed(side, turns)) / turns)
  return sides.map(({ name }, at) => timingOf(name, times[at]!))
}

async function timed(side: Side, turns: number): Promise<number> {
  await side.before?.()
  const started = performance.now()
  for (let turn = 0; turn < turns; turn += 1) {
    const pending = side.run()
    if (pending !== undefined) await pending
  }
  const ms = performance.now() - started
  await side.check?.()
  return ms
}

export function timingOf(name: string, times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const ms = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { name, ms, fastest: sorted[0]!, slowest: sorted.at(-1)!, rounds: sorted.length }
}
