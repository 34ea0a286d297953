// almanac recompute: computes a result against the active generation, and explains a changed value.
import { resultFromArgs } from '../result-args.ts'
import { hasFlag, textOption } from '../options.ts'
import { runRecordJob } from '../record-jobs.ts'
import type { Run } from '../command-definition.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const object = textOption(call, 'object')
  if (object !== undefined) return runRecordJob(call, 'recompute', object)
  const { terminal } = call
  const source = resultFromArgs(call)
  const answer = await (
    await call.org()
  ).recompute({ ...source, ...(hasFlag(call, 'store') ? { store: true } : {}) })
  await terminal.data(answer)
  terminal.print(
    answer.changed
      ? `${plainValue(answer.before)} → ${terminal.paint.bold(plainValue(answer.value))}`
      : `${plainValue(answer.value)}, as before`,
  )
  for (const reason of answer.reasons) terminal.print(`  ${reason}`)
  if (answer.resultId !== undefined) terminal.print(`Stored as ${answer.resultId}.`)
}
