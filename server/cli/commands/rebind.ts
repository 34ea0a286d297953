// almanac rebind: recomputes and stores what is bound to earlier generations, which releases them.
import type { Run } from '../command-definition.ts'
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { runRecordJob } from '../record-jobs.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const object = textOption(call, 'object')
  if (object !== undefined) return runRecordJob(call, 'rebind', object)
  const resultId = textOption(call, 'result')
  if (resultId === undefined || call.args.length > 0) throw new UsageError('Use either --object or --result.')
  const { terminal } = call
  const rebound = await (await call.org()).recompute({ resultId, store: true })
  await terminal.data(rebound)
  terminal.print(
    `Bound to generation ${rebound.binding.generation}: ${plainValue(rebound.before)} → ${plainValue(rebound.value)}`,
  )
}
