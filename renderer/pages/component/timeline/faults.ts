// Faults in the date ranges of a key, found and fixed by the kernel in the rows of the sheet.
import { coverageFindings } from '#kernel/components/config-set/coverage.ts'
import { repairFindings } from '#kernel/change/repair.ts'
import type { RepairChoice } from '#kernel/change/index.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { longDate, lastDay } from '../../../text/words.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import type { CellValue } from '../sheet/columns.ts'
import type { Cells } from '../sheet/row-edit.ts'
import type { CellWrite, Sheet, SheetChange } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'
import { definitionOf, entriesOf } from './key-entries.ts'

export interface Fault {
  kind: 'gap' | 'overlap' | 'end'
  finding: Finding
  key: string | null
  /** The scope of the rows, as in the lane's name. */
  scope: string
  from: DayNumber
  /** First day on which it is right again; null if never. */
  to: DayNumber | null
  /** The row before and the row after; for an end only the last row. */
  earlier: RowId
  later: RowId | null
  /** `No value on 31 Dec 2022`. */
  words: string
}

const kinds: Readonly<Record<string, Fault['kind']>> = {
  'config.range_gap': 'gap',
  'config.range_overlap': 'overlap',
  'config.range_end': 'end',
}

/** Returns the gaps, overlaps and ends of some keys in chronological order. */
export function faultsOf(sheet: Sheet, declared: EntrySet, keys: readonly (string | null)[]): Fault[] {
  const set = definitionOf(declared)
  return keys.flatMap((key) => {
    const entries = entriesOf(sheet, declared, key)
    const rows = new Map(entries.map(({ entry, row }) => [entry.key, row]))
    const findings = coverageFindings(
      set,
      key,
      entries.map(({ entry }) => entry),
      new MemoryView([set]),
    )
    return findings.flatMap((finding) => faultOf(finding, key, rows) ?? []).sort((a, b) => a.from - b.from)
  })
}

function faultOf(finding: Finding, key: string | null, rows: ReadonlyMap<string, RowId>): Fault[] | null {
  const kind = kinds[finding.code]
  const { facts = {} } = finding
  const day = (name: string): DayNumber | null => {
    const date = parseCivilDate(String(facts[name] ?? ''))
    return date === null ? null : dayOf(date)
  }
  const earlier = rows.get(String(facts['earlier'] ?? facts['last'] ?? ''))
  const from = day('from') ?? day('endsOn')
  if (kind === undefined || earlier === undefined || from === null) return null
  const later = rows.get(String(facts['later'] ?? '')) ?? null
  const to = day('to')
  return [
    {
      kind,
      finding,
      key,
      scope: String(facts['scope'] ?? 'org'),
      from,
      to,
      earlier,
      later,
      words: wordsOf(kind, finding),
    },
  ]
}

function wordsOf(kind: Fault['kind'], { facts = {} }: Finding): string {
  const from = String(facts['from'] ?? facts['endsOn'])
  const to = facts['to'] == null ? null : String(facts['to'])
  const last = to === null ? null : lastDay(to)
  const days =
    last === null
      ? `from ${longDate(from)} on`
      : last === from
        ? `on ${longDate(from)}`
        : `from ${longDate(from)} to ${longDate(last)}`
  return kind === 'overlap' ? `Two values ${days}` : `No value ${days}`
}

/** Returns the step that a repair choice makes; `values` are for the choice that gives a value. */
export function repairChange(
  sheet: Sheet,
  declared: EntrySet,
  faults: readonly Fault[],
  choice: string,
  values?: Readonly<Record<string, string>>,
): SheetChange {
  const keys = [...new Set(faults.map(({ key }) => key))]
  const entries = keys.flatMap((key) => entriesOf(sheet, declared, key))
  const rows = new Map(entries.map(({ entry, row }) => [entry.key, row]))
  const view = new MemoryView([definitionOf(declared), ...entries.map(({ entry }) => entry)])
  const choices = faults.map(({ finding, key, from: _from }): RepairChoice => {
    const facts = finding.facts ?? {}
    const day = String(facts['from'] ?? facts['endsOn'])
    return {
      code: finding.code,
      set: declared.key,
      ...(key === null ? {} : { key }),
      day,
      choice,
      ...(values ? { values } : {}),
    }
  })
  const repaired = repairFindings(
    faults.map(({ finding }) => finding),
    choices,
    view,
  )
  const writes: CellWrite[] = []
  const added: Cells[] = []
  for (const component of repaired.components as Component[]) {
    if (component.type !== 'config_entry') continue
    const row = rows.get(component.key)
    const cells = cellsOf(component)
    if (row === undefined) added.push(cells)
    else for (const place of dates) writes.push({ row, place, value: cells[place] ?? null })
  }
  const removed = repaired.removals.flatMap((id) => rows.get(id.slice('config_entry/'.length)) ?? [])
  return { writes, added, removed }
}

const dates = ['body/effectiveFrom', 'body/effectiveTo'] as const

function cellsOf({ body }: ComponentOf<'config_entry'>): Cells {
  const cells: Record<string, CellValue> = {
    'body/scope': body.scope as unknown as CellValue,
    'body/effectiveFrom': body.effectiveFrom,
    'body/effectiveTo': body.effectiveTo ?? null,
  }
  if (body.key !== undefined) cells['body/key'] = body.key
  if (body.priority !== undefined) cells['body/priority'] = body.priority
  for (const [field, value] of Object.entries(body.values)) cells[`body/values/${field}`] = value
  return cells
}
