// almanac budget: shows the size limit for the slices of a generation; with a size, sets it.
import { formatBytes } from '#kernel/change/index.ts'
import { putSliceBudget, canSeeWholeOrg, redactBytes } from '../../pipeline/index.ts'
import { UsageError } from '../fail.ts'
import type { Run } from '../command-definition.ts'

const units = { B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 } as const

export const run: Run = async (call) => {
  const { terminal } = call
  const { org, by, viewer } = await call.localOrg()
  const [given] = call.args
  if (given !== undefined) {
    const size = sizeOf(given)
    await org.write((transactor) => putSliceBudget(transactor, by, org.clock.now(), size))
  }
  const { sliceBudget } = org.facts()
  const { slice, view } = org.pin()
  const used = canSeeWholeOrg(viewer, view) ? slice.bytes : redactBytes(slice.bytes, viewer)
  await terminal.data({ sliceBudget, used })
  terminal.print(
    `The slices use ${formatBytes(used)} of the ${formatBytes(sliceBudget)} that this org allows.`,
  )
}

/** `128MiB`, `64 KiB`, or a number of bytes. @throws UsageError */
function sizeOf(given: string): number {
  const [, number, unit = 'B'] = /^(\d{1,15})\s*(B|KiB|MiB|GiB)?$/i.exec(given.trim()) ?? []
  const size = Number(number) * units[unit.toUpperCase() as keyof typeof units]
  if (number === undefined || size < 1 || !Number.isSafeInteger(size))
    throw new UsageError(`A budget must be a size such as 128MiB, not "${given}".`)
  return size
}
