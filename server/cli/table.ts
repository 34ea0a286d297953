// Rows for a terminal: no lines, two spaces between columns; the widths are those of the text.
import Table from 'cli-table3'
import type { Terminal } from './terminal.ts'

const plain = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** A table with a heading, each line without trailing spaces. */
export function tableText(
  { paint }: Terminal,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const table = new Table({
    chars: plain,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  table.push(
    head.map((name) => paint.dim(name)),
    ...rows.map((row) => [...row]),
  )
  return table.toString().replace(/[ \t]+$/gm, '')
}
