// Writes the results as a table to the terminal and to docs/benchmarks.md, in which a run replaces only the parts that
// it measured.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Table from 'cli-table3'
import pc from 'picocolors'
import { format, resolveConfig } from 'prettier'
import type { Line, Part, PartReport } from './part.ts'

const page = new URL('../../../docs/benchmarks.md', import.meta.url)

const heading = `# Benchmarks

Written by \`npm run bench\`, \`npm run bench:peers\` and \`npm run bench:studio\`; do not edit. Every figure is the median of at least
7 turns. The sides of a comparison take turns in one run on one machine, and the results of each are compared with an oracle first. A part
that a run did not measure keeps the figures, the date and the machine of the run that did.
`

export function printed({ lines, notes }: PartReport): string {
  const table = new Table({
    head: ['what', 'work', 'ours', 'against', 'ratio', 'aim', ''],
    colWidths: [24, 34, 16, 34, 14, 18, 6],
    wordWrap: true,
    style: { head: [] },
  })
  for (const line of lines)
    table.push([line.what, line.work, line.ours, line.against, line.ratio, line.aim, colour(line.met)])
  return [table.toString(), ...notes.map((note) => pc.dim(note))].join('\n')
}

/** Replaces the older report of a part; in the order of `parts`. */
export async function writePage(
  parts: readonly Part[],
  part: Part,
  report: PartReport,
  taken: string,
): Promise<void> {
  const sections = existsSync(page) ? sectionsOf(readFileSync(page, 'utf8')) : new Map<string, string>()
  sections.set(part.title, section(report, taken))
  const known = parts.filter(({ title }) => sections.has(title))
  const body = known.map(({ title }) => `## ${title}\n\n${sections.get(title)!.trim()}\n`)
  const text = [heading, ...body].join('\n')
  const style = await resolveConfig(page)
  writeFileSync(page, await format(text, { ...style, parser: 'markdown' }))
}

/** Text of each section by its title. */
function sectionsOf(text: string): Map<string, string> {
  const [, ...sections] = text.split(/^## /m)
  return new Map(
    sections.map((each): [string, string] => {
      const end = each.indexOf('\n')
      return [each.slice(0, end).trim(), each.slice(end + 1)]
    }),
  )
}

function section({ lines, notes }: PartReport, taken: string): string {
  const head =
    '| what | work | ours | against | ratio | aim | met |\n| --- | --- | --- | --- | --- | --- | --- |'
  const rows = lines.map((line) => `| ${cellsOf(line).join(' | ')} |`)
  return [`Taken ${taken}.`, '', head, ...rows, '', ...notes.map((note) => `- ${note}`)].join('\n')
}

function cellsOf({ what, work, ours, against, ratio, aim, met }: Line): string[] {
  return [what, work, ours, against, ratio, aim, word(met)].map((cell) => cell.replaceAll('|', '\\|'))
}

function word(met: boolean | null): string {
  return met === null ? '' : met ? 'yes' : 'no'
}

function colour(met: boolean | null): string {
  return met === true ? pc.green('yes') : met === false ? pc.red('no') : ''
}
