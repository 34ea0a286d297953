// almanac budget: shows the size limit for the slices of a generation; with a size, sets it.
import { formatBytes } from '#kernel/change/index.ts'
import { putSliceBudget, canSeeWholeOrg, redactBytes } from '../../pipeline/index.ts'
import { parseSize } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { org, by, viewer } = await call.localOrg()
  const [argument] = call.args
  if (argument !== undefined) {
    const size = parseSize(argument, 'A budget')
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
