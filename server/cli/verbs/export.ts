// almanac export: the entries of a set as CSV, which import takes back, as a spreadsheet, or as JSON (completions 7).
import { pipeline } from 'node:stream/promises'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { exportFormats, exportSet, type ExportFormat } from '../../export/index.ts'
import { writePieces } from '../../files/index.ts'
import { oneOf, text, whole } from '../options.ts'
import { UsageError } from '../fail.ts'
import { count } from '../terminal.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = ''] = call.args
  const out = text(call, 'out')
  const format: ExportFormat = oneOf(call, 'format', exportFormats) ?? formatOf(out)
  if (format === 'xlsx' && out === undefined && process.stdout.isTTY === true)
    throw new UsageError('A spreadsheet is no text for a terminal. Name a file with --out.')
  const generation = whole(call, 'generation')
  const org = await call.org()
  const [owner] = (await org.components('config_set', set, generation)) as ComponentOf<'config_set'>[]
  // Refused as a question would be: nothing of hidden values would read as a set without entries.
  await org.explain({ set, generation })
  const entries = (await org.components('config_entry', set, generation)) as ComponentOf<'config_entry'>[]
  const pieces = exportSet({ owner: owner!, entries }, format)
  if (out === undefined) {
    if (format === 'xlsx') return pipeline(pieces, process.stdout, { end: false })
    for await (const piece of pieces) terminal.raw(Buffer.from(piece).toString('utf8'))
    return
  }
  await writePieces(out, pieces)
  await terminal.data({ set, out, format, entries: entries.length })
  terminal.print(`${count(entries.length, 'entry', 'entries')} of ${set} are in ${out}.`)
}

/** By the end of the file's name; CSV where that says nothing. */
function formatOf(out: string | undefined): ExportFormat {
  return exportFormats.find((format) => out?.toLowerCase().endsWith(`.${format}`) === true) ?? 'csv'
}
