// Readers during an apply of 100,000 entries in the worker: how long this thread is ever blocked.
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { resolveFast } from '#kernel/config/index.ts'
import type { Org } from '../../../server/pipeline/index.ts'
import { startBystander } from '../support/bystander.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import {
  entryCount,
  expectValue,
  largeOrg,
  newOrg,
  oneChange,
  requestOf,
  set,
  writeComponents,
} from '../support/large-org.ts'
import { duration, times, type Line, type Part, type PartContext } from '../support/part.ts'
import type { TariffKey } from '../support/tariff.ts'

const rounds = 7
const most = 10

/** Milliseconds between two readers. */
const every = 1

interface Waits {
  /** The time from a reader's arrival to its result, for the reader that waited longest. */
  longest: number
  /** The same in an unrelated process, at the same time. */
  beside: number
  /**
   * Processor milliseconds that this thread spent in its longest turn of the event loop, including the garbage
   * collector.
   */
  own: number
  reads: number
}

export const readersPart: Part = {
  name: 'readers',
  title: 'Readers during an apply',
  async run(context) {
    // What this thread does not need during the reads is created in a function, so that it can be released.
    const keys = writeOnce(context.folder)
    const first: Waits[] = []
    const small: Waits[] = []
    for (let round = 0; round < roundsOf(rounds); round += 1) {
      context.say(`readers during an apply, ${round + 1} of ${roundsOf(rounds)}`)
      await oneRound(context, keys, round, first, small)
    }
    return {
      lines: [
        ...linesOf('while 100,000 entries are applied for the first time, and the flip', first),
        ...linesOf('while one of 100,000 entries changes, and the flip', small),
      ],
      notes: [
        'The slices are kept materialised and the worker applies. A reader starts every millisecond, even if the one before is not finished, and resolves. A wait is the time from when the reader was due to its result, timer included. The figure is the median of the longest waits of seven applies; the longest of all is beside it.',
        'The bystander is a separate process that only wakes every millisecond during the same applies. Its worst delay is what the machine, with its cores busy, causes for any process.',
        'The own work is the processor time of the readers’ thread between two readings of the clock, its share of garbage collection included: the delay that an apply itself can cause. If the longest wait is far above it, the thread was ready or asleep and the machine (its scheduler, or the host of a virtual machine) did not run it.',
      ],
    }
  },
}

function writeOnce(folder: string): TariffKey[] {
  const { keys, components } = largeOrg()
  writeComponents(join(folder, 'components'), components)
  return keys.slice(0, rounds)
}

async function oneRound(
  { folder }: PartContext,
  keys: readonly TariffKey[],
  round: number,
  first: Waits[],
  small: Waits[],
): Promise<void> {
  const dir = join(folder, 'components')
  const org = newOrg(join(folder, `org-${round}`), { worker: true })
  await org.materialise()
  const read = (at: number): void => resolveOne(org, at)
  first.push(
    await readWhile(read, () => org.apply({ source: { kind: 'directory', dir }, actor: 'admin', most: 10 })),
  )
  const { entry, key, day, value } = oneChange(keys, round)
  small.push(await readWhile(read, () => org.apply(requestOf([entry]))))
  expectValue(org, key, day, value)
  const size = org.pin().view.count('config_entry')
  await org.close()
  if (size !== entryCount) throw new Error(`After the apply there are ${size} entries.`)
}

/** Readers arrive at a fixed pace until the work is done, and for a moment afterwards. */
async function readWhile(read: (at: number) => void, work: () => Promise<unknown>): Promise<Waits> {
  const bystander = await startBystander(every)
  let done = false
  const ended = work().finally(() => (done = true))
  let [longest, own, reads, due] = [0, 0, 0, performance.now() + every]
  let spent = processorTime()
  for (let after = 0; after < 50; after += done ? 1 : 0) {
    const early = due - performance.now()
    if (early > 0) await setTimeout(early)
    else await setImmediate()
    const now = processorTime()
    own = Math.max(own, now - spent)
    spent = now
    // All readers that arrived in the meantime are served in one turn of the loop, as sockets are.
    while (due <= performance.now()) {
      read(reads)
      reads += 1
      longest = Math.max(longest, performance.now() - due)
      due += every
    }
  }
  await ended
  return { longest, own, reads, beside: await bystander.stop() }
}

/** Milliseconds of processor time of this thread since it started. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function resolveOne(org: Org, at: number): void {
  const slice = org.pin().sets.builtSlices().get(set)
  if (slice === undefined) return
  const key = `key_${String(at % 20_000).padStart(6, '0')}`
  if (resolveFast(slice, key, {}, 20_000) === null) throw new Error(`${key} has no value.`)
}

function linesOf(how: string, waits: readonly Waits[]): Line[] {
  const wait = medianOf(waits.map(({ longest }) => longest))
  const own = medianOf(waits.map((each) => each.own))
  const beside = medianOf(waits.map((each) => each.beside))
  const reads = waits.reduce((sum, each) => sum + each.reads, 0)
  return [
    {
      what: 'longest wait of a reader',
      work: `${how}; ${reads.toLocaleString('en')} reads`,
      ours: `${duration(wait.ms)} (of all ${duration(wait.slowest)})`,
      against: `a bystander's ${duration(beside.ms)}`,
      ratio: times(wait.ms / beside.ms),
      aim: `≤ ${most} ms`,
      met: wait.ms <= most,
    },
    {
      what: 'own work of the readers’ thread',
      work: `${how}; in its longest turn`,
      ours: `${duration(own.ms)} (of all ${duration(own.slowest)})`,
      against: '',
      ratio: '',
      aim: `≤ ${most} ms`,
      met: own.ms <= most,
    },
  ]
}

const medianOf = (values: number[]): ReturnType<typeof timingOf> => timingOf('', values)
