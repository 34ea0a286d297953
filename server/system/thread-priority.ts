// Gives the readers' thread priority if there are fewer cores than threads.
import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setPriority } from 'node:os'

/** Half the share of a thread with 0: readers go first, but a busy machine does not starve an apply. */
const niceness = 3

/**
 * For a worker: from now on, this thread runs at a lower priority. Does nothing if threads have no priority of their
 * own, or if it cannot be changed.
 */
export function lowerThreadPriority(): void {
  try {
    // Only Linux numbers threads, and shows a thread its own number.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // The file does not exist, or access is denied: the priority stays unchanged.
  }
}
