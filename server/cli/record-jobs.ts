// Recomputes, rebinds, replays or archives the records of an object, for the commands of the same names.
import type { Call } from './command-definition.ts'
import { exitCodes, UsageError } from './fail.ts'
import { hasFlag, integerOption, textOption } from './options.ts'
import { tableText } from './table.ts'
import { countText } from './terminal.ts'
import type { JobRequest } from './records-api.ts'

/** Failed records that are listed on a terminal. */
const maxListed = 20

/** @throws UsageError if the command also names a stored result */
export async function runRecordJob(call: Call, kind: JobRequest['kind'], object: string): Promise<number> {
  if (call.args.length > 0 || textOption(call, 'result') !== undefined)
    throw new UsageError('Use either --object or a stored result.')
  const { terminal } = call
  const filter = textOption(call, 'filter')
  const boundBefore = integerOption(call, 'boundBefore')
  const keepArchived = hasFlag(call, 'keepArchived')
  const { records } = await call.org()
  const request = {
    ...{ kind, object },
    ...(filter === undefined ? {} : { filter }),
    ...(boundBefore === undefined ? {} : { boundBefore }),
    ...(keepArchived ? { keepArchived } : {}),
  }
  const job = await records.runJob(request, ({ done, total }) =>
    terminal.progress(total === null ? 'Counting the records …' : `${done} of ${total} records …`),
  )
  await terminal.data(job)
  const { done, changed, failed, failures, problem } = job
  const listed = failures.slice(0, maxListed).map(({ record, message }) => [record, message])
  if (listed.length > 0) terminal.print(() => tableText(terminal, ['record', 'problem'], listed))
  if (failed > listed.length)
    terminal.print(`Only the first ${listed.length} of these records are shown. Use --json for more.`)
  const outcome = kind === 'replay' ? 'not identical' : kind === 'archive' ? 'archived' : 'changed'
  terminal.print(
    `${countText(done, 'record', 'records')} processed: ${changed} ${outcome}, ${failed} failed.`,
  )
  if (kind === 'archive' && changed > 0)
    terminal.print(`Write the bundles to a file with "almanac archive export ${job.id} --out <file>".`)
  if (problem !== null) terminal.print(`The job ended early. ${problem.message}`)
  const isFine = job.state === 'completed' && failed === 0 && (kind !== 'replay' || changed === 0)
  return isFine ? exitCodes.done : exitCodes.failed
}
