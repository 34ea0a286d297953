// almanac archive create: archives the evidence of one value of a record, or of all that are bound to earlier generations.
import { writeFileAtomic } from '../../files/index.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { runRecordJob } from '../record-jobs.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [object, id, field] = ['object', 'id', 'field'].map((name) => textOption(call, name))
  if (object === undefined) throw new UsageError('Specify the object: --object <object>.')
  if (id === undefined && field === undefined) {
    if (textOption(call, 'out') !== undefined)
      throw new UsageError('--out is for one value. "almanac archive export" writes the bundles of all.')
    return runRecordJob(call, 'archive', object)
  }
  if (id === undefined || field === undefined)
    throw new UsageError('Specify one value by --id <id> and --field <field>.')
  if (textOption(call, 'filter') !== undefined || textOption(call, 'boundBefore') !== undefined)
    throw new UsageError('Use either --id and --field or --filter and --bound-before.')
  return archiveOne(call, object, id, field)
}

async function archiveOne(call: Call, object: string, id: string, field: string): Promise<number> {
  const { terminal } = call
  const { archive, evidence } = await (await call.org()).records.archive(object, id, field)
  const out = textOption(call, 'out')
  if (out !== undefined) writeFileAtomic(out, evidence)
  await terminal.data({ object, id, field, archive, out: out ?? null })
  terminal.print(
    out === undefined
      ? `The evidence for ${object}.${field} is archived. Write it to a file with "almanac archive export ${archive} --out <file>".`
      : `The evidence for ${object}.${field} is archived and in ${out}. Verify it without an org with "almanac verify ${out}".`,
  )
  return exitCodes.done
}
