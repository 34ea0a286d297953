// almanac purge: deletes the content of old generations, unless a stored result is bound to it.
import { purgeBefore } from '../../pipeline/index.ts'
import { UsageError } from '../fail.ts'
import { integerOption } from '../options.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const before = integerOption(call, 'before')
  if (before === undefined) throw new UsageError('Specify the first generation to keep: --before <n>.')
  const { org, by } = await call.localOrg()
  const purged = await purgeBefore(org, by, before)
  await terminal.data(purged)
  terminal.print(
    purged.generations === 0
      ? 'Nothing was purged.'
      : `The content of ${countText(purged.generations, 'generation')} was deleted. Author, date and rationale are kept.`,
  )
}
