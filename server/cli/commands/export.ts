// almanac export: writes the entries of a set as CSV that import can read, as a spreadsheet, or as JSON.
import { pipeline } from 'node:stream/promises'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { exportFormats, exportSet, type ExportFormat } from '../../export/index.ts'
import { writeChunks } from '../../files/index.ts'
import { choiceOption, textOption, integerOption } from '../options.ts'
import { UsageError } from '../fail.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = ''] = call.args
  const out = textOption(call, 'out')
  const format: ExportFormat = choiceOption(call, 'format', exportFormats) ?? formatOf(out)
  if (format === 'xlsx' && out === undefined && process.stdout.isTTY === true)
    throw new UsageError('A spreadsheet cannot be printed on a terminal. Specify a file with --out.')
  const generation = integerOption(call, 'generation')
  const org = await call.org()
  const [owner] = (await org.components('config_set', set, generation)) as ComponentOf<'config_set'>[]
  // Refused like a read of the set: an empty file for hidden values would look like a set without entries.
  await org.explain({ set, generation })
  const entries = (await org.components('config_entry', set, generation)) as ComponentOf<'config_entry'>[]
  const pieces = exportSet({ owner: owner!, entries }, format)
  if (out === undefined) {
    if (format === 'xlsx') return pipeline(pieces, process.stdout, { end: false })
    for await (const piece of pieces) terminal.raw(Buffer.from(piece).toString('utf8'))
    return
  }
  await writeChunks(out, pieces)
  await terminal.data({ set, out, format, entries: entries.length })
  terminal.print(`${countText(entries.length, 'entry', 'entries')} of ${set} are in ${out}.`)
}

/** By the extension of the file; default CSV. */
function formatOf(out: string | undefined): ExportFormat {
  return exportFormats.find((format) => out?.toLowerCase().endsWith(`.${format}`) === true) ?? 'csv'
}
