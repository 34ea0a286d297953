// Formats the result of an import as text and as JSON.
import type { Finding } from '#kernel/errors/finding.ts'
import type { ImportInspection } from '#kernel/import/index.ts'
import type { ImportFacts } from '../import/index.ts'
import type { ChangeCounts } from '#kernel/change/index.ts'
import type { LazyList } from '../pipeline/index.ts'
import { changeCountsText, changesText } from './changes-text.ts'
import { findingsText, repairHints } from './findings-text.ts'
import { hasFlag } from './options.ts'
import type { ChangeView } from '#wire/index.ts'
import { countText } from './terminal.ts'
import type { Call } from './command-definition.ts'

export interface ImportReport {
  facts: ImportFacts
  changes: LazyList<ChangeView>
  counts: ChangeCounts
  findings: readonly Finding[]
  /** Number of drafts kept, or the directory. */
  drafts?: number
  out?: string
}

export async function printImport(
  call: Call,
  { facts, changes, counts, findings, drafts, out }: ImportReport,
): Promise<void> {
  const { terminal } = call
  const kept = out === undefined ? { drafts: drafts ?? 0 } : { out }
  await terminal.data({ ...facts, changes, findings, ...kept })
  terminal.print(factsText(facts))
  terminal.print(() => changesText(changes, terminal, hasFlag(call, 'all')))
  if (changes.length > 0) terminal.print(changeCountsText(counts))
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  for (const hint of repairHints(findings)) terminal.print(terminal.paint.dim(hint))
  if (out !== undefined)
    terminal.print(`The components are in ${out}. Run "almanac apply ${out}" to apply them.`)
  else if (changes.length > 0)
    terminal.print(
      `${countText(drafts ?? 0, 'draft')} saved for review. Continue with "almanac validate --drafts" and "almanac apply --drafts".`,
    )
}

export function factsText({
  rows,
  keys,
  entries,
  skipped,
  keptAsEdited,
  encoding,
  delimiter,
}: ImportFacts): string {
  const omission = skipped === 0 ? '' : `, ${countText(skipped, 'row')} omitted by the map`
  const edited =
    keptAsEdited === 0
      ? ''
      : `\n${countText(keptAsEdited, 'entry', 'entries')} unchanged in the file since an earlier import, but repaired, edited or removed here: kept as they are. Use --again to replace them with those in the file.`
  const form = delimiter === null ? '' : ` (${encoding}, ${JSON.stringify(delimiter)} between cells)`
  return `${countText(rows, 'row')}, ${countText(keys, 'key')}, ${countText(entries, 'entry', 'entries')}${omission}${form}.${edited}`
}

/** Shows the content of a file, its open questions, and a suggested map. */
export function inspectionText(inspection: ImportInspection): string {
  const { name, rows, columns, oddRows, questions, map, sheets } = inspection
  const form =
    inspection.delimiter === null
      ? `sheet ${inspection.sheet}`
      : `${inspection.encoding}, ${JSON.stringify(inspection.delimiter)}`
  const lines = [`${name}: ${countText(rows, 'row')}, ${countText(columns.length, 'column')} (${form}).`]
  if (sheets.length > 1) lines.push(`Its sheets: ${sheets.join(', ')}.`)
  for (const column of columns)
    lines.push(
      `  ${column.name}: ${column.type}, ${column.filled} filled, such as ${column.samples.slice(0, 3).join(' | ')}`,
    )
  if (oddRows.total > 0)
    lines.push(
      `${countText(oddRows.total, 'row')} with a different number of cells, on lines ${oddRows.lines.join(', ')}.`,
    )
  for (const { message, choices } of questions) lines.push(`? ${message} (${choices.join(', ')})`)
  if (map !== null) lines.push('', JSON.stringify(map, null, 2))
  return lines.join('\n')
}
