// Formats rows for a terminal: no lines, two spaces between columns, as wide as the text.
import Table from 'cli-table3'
import { cellText } from './printable-text.ts'
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

/** Longer text takes minutes to lay out and is not readable in a column. */
const maxCellLength = 240

/** Formats a table with a heading: no trailing spaces, each cell truncated and without control characters. */
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
    ...rows.map((row) => row.map((cell) => cellText(cell, maxCellLength))),
  )
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}
