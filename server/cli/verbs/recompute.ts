// almanac recompute: computes a result against the active generation, and explains a changed value (specification 2.6).
import { givenResult } from '../given-result.ts'
import { flag } from '../options.ts'
import type { Run } from '../verb.ts'
import { bare } from './evaluate.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const given = givenResult(call)
  const answer = await (
    await call.org()
  ).recompute({ ...given, ...(flag(call, 'store') ? { store: true } : {}) })
  await terminal.data(answer)
  terminal.print(
    answer.changed
      ? `${bare(answer.before)} → ${terminal.paint.bold(bare(answer.value))}`
      : `${bare(answer.value)}, as before`,
  )
  for (const reason of answer.reasons) terminal.print(`  ${reason}`)
  if (answer.resultId !== undefined) terminal.print(`Stored as ${answer.resultId}.`)
}
