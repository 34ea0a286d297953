// Keeps the garbage collector's pauses on the readers' thread short, so that readers never wait more than 10 ms for an
// apply.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Keeps the nursery at its initial size, and makes one small again that grew while code was loaded: a scavenge then
 * copies at most one megabyte of live objects, in one or two milliseconds; a grown nursery copies sixteen in fifteen.
 * Costs about a tenth of the throughput of building slices.
 * Applies to the whole process; call it before much is allocated.
 *
 * Threads that start from now on begin with the largest nursery that their limits allow (see `youngMb`): no reader waits
 * for their pauses.
 *
 * One thread copies: most nurseries are small, and several that wait for each other's turn on busy cores take longer.
 */
export function limitGcPauses(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--min-semi-space-size=64')
  setFlagsFromString('--no-parallel-scavenge')
  if (nurseryMb() > mostNurseryMb) shrinkNursery()
}

/** Both halves of a nursery of a megabyte, or of two. */
const mostNurseryMb = 4

function nurseryMb(): number {
  const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return (nursery?.space_size ?? 0) / 1024 / 1024
}

/** Only a collection that looks for the last free memory makes it small again. */
function shrinkNursery(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  // cspell:ignore flavor
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * For `maxYoungGenerationSizeMb`: the nursery has half of it, from the start (see `limitGcPauses`). A small one keeps
 * the process small. With a large one, what a batch of records needs for a moment is rarely copied.
 */
export const youngMb = { small: 8, large: 64 } as const

/**
 * For `maxOldGenerationSizeMb` of the two threads that save the rows of a bulk job. The larger the limit, the more a heap
 * grows between two full collections: with this one to about three times what is in use, which is some 20 MB. With a limit
 * of 512 MB the full collections of a job took a seventh of its processor time.
 */
export const busyOldMb = 1500
