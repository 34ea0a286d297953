// almanac replay: computes a stored result again, byte for byte; exits 1 if the value differs.
import { exitCodes } from '../fail.ts'
import { resultFromArgs } from '../result-args.ts'
import { textOption } from '../options.ts'
import { runRecordJob } from '../record-jobs.ts'
import type { Run } from '../command-definition.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const object = textOption(call, 'object')
  if (object !== undefined) return runRecordJob(call, 'replay', object)
  const { terminal } = call
  const { value, binding, identical, differences, honouredEnvironment } = await (
    await call.org()
  ).replay(resultFromArgs(call))
  await terminal.data({ value, binding, identical, differences, honouredEnvironment })
  const { paint } = terminal
  terminal.print(
    `${plainValue(value)}  ${identical ? paint.green('identical') : paint.red('not identical')}  ${paint.dim(`generation ${binding.generation}`)}`,
  )
  for (const { message } of differences) terminal.print(`  ${message}`)
  if (honouredEnvironment !== null)
    terminal.print(`  The replay used the recorded environment, ${honouredEnvironment}.`)
  return identical ? exitCodes.done : exitCodes.failed
}
