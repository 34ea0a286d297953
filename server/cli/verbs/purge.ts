// almanac purge: the content of old generations is let go, unless a stored result binds it (completions 3).
import { purgeBefore } from '../../pipeline/index.ts'
import { UsageError } from '../fail.ts'
import { whole } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const before = whole(call, 'before')
  if (before === undefined)
    throw new UsageError('Say which generations: --before <n> keeps n and the later ones.')
  const { org, by } = await call.localOrg()
  const purged = await purgeBefore(org, by, before)
  await terminal.data(purged)
  terminal.print(
    purged.generations === 0
      ? 'Nothing was purged.'
      : `The content of ${purged.generations} generations is gone; who made them, when and why is kept.`,
  )
}
