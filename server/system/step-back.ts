// Lets the readers' thread go first where there are fewer cores than threads (bench.md, readers during an apply).
import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setPriority } from 'node:os'

/** Half the share of whoever has 0: readers go first, and yet a busy machine does not starve an apply. */
const niceness = 3

/**
 * For a worker: from now on this thread runs where the others leave it room. Where threads have no priority of their
 * own, or it may not be changed, nothing happens.
 */
export function stepBack(): void {
  try {
    // Linux alone knows a thread by a number, and tells a thread its own.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // No such file, or not allowed: the thread stays as it is.
  }
}
