// Compares the numbers of a file with those of the set: a column 100 times as large was probably meant as percent.
import type { ComponentOf } from '../components/body-types.ts'
import { idOf } from '../components/component.ts'
import { scopeText } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding } from '../errors/finding.ts'
import type { ImportedEntry } from './name-entries.ts'

type Entry = ComponentOf<'config_entry'>
type ConfigSet = ComponentOf<'config_set'>

/** The factors by which a file's numbers can be wrong, each with its correction and its description. */
const scaleErrors = [
  { factor: 100, times: '0.01', words: '100 times as large as' },
  { factor: 1000, times: '0.001', words: '1,000 times as large as' },
  { factor: 0.01, times: '100', words: 'a hundredth of' },
  { factor: 0.001, times: '1000', words: 'a thousandth of' },
  { factor: -1, times: '-1', words: 'of the opposite sign to' },
] as const

type ScaleError = (typeof scaleErrors)[number]

interface Pair {
  entry: Entry
  now: number
  before: number
}

/** The share of rows with a predecessor that must have the same error before it is reported for the whole column. */
const mostOf = 2 / 3
/** The values needed on each side to compare columns without a common key by their medians. */
const minForMedian = 3
const mostRows = 20

/**
 * Warns about number fields whose imported values differ from the set's values by a power of ten or in sign: one
 * warning if the whole column does, with `facts.field` and `facts.times` (a decimal text that corrects it), otherwise
 * one for each such row. Compares each entry with the one of its key and scope that it replaces or follows.
 */
export function implausibleFindings(
  set: ConfigSet,
  imported: readonly ImportedEntry[],
  base: ComponentView,
): Finding[] {
  const fields = set.body.fields.filter(({ type }) => type === 'number').map(({ key }) => key)
  if (fields.length === 0 || !base.has('config_set', set.key)) return []
  const entries = imported.map(({ entry }) => ({ entry, before: predecessor(entry, base) }))
  return fields.flatMap((field) => {
    const pairs = entries.flatMap(({ entry, before }) => pairOf(entry, before, field))
    return pairs.length > 0 ? pairFindings(set, field, pairs) : medianFindings(set, field, imported, base)
  })
}

/** Returns the existing entry of the same key and scope in force on its first day, otherwise the first one. */
function predecessor(entry: Entry, base: ComponentView): Entry | null {
  const where = scopeText(entry.body.scope)
  const from = entry.body.effectiveFrom ?? ''
  let latest: Entry | null = null
  let first: Entry | null = null
  for (const each of base.entriesAt(entry.body.set, entry.body.key ?? null)) {
    if (scopeText(each.body.scope) !== where) continue
    const start = each.body.effectiveFrom ?? ''
    if (start <= from && (latest === null || start > (latest.body.effectiveFrom ?? ''))) latest = each
    if (first === null || start < (first.body.effectiveFrom ?? '')) first = each
  }
  return latest ?? first
}

function pairOf(entry: Entry, before: Entry | null, field: string): Pair[] {
  const pair = { entry, now: numberIn(entry, field), before: before === null ? 0 : numberIn(before, field) }
  return pair.now === 0 || pair.before === 0 ? [] : [pair]
}

/** 0 if the entry has no number there. */
function numberIn({ body: { values } }: Entry, field: string): number {
  const number = Number(values[field] ?? 0)
  return Number.isFinite(number) ? number : 0
}

function pairFindings(set: ConfigSet, field: string, pairs: readonly Pair[]): Finding[] {
  const off = pairs.flatMap((pair) => {
    const slip = scaleErrorOf(pair.now / pair.before)
    return slip === null ? [] : [{ ...pair, slip }]
  })
  const [common] = [...Map.groupBy(off, ({ slip }) => slip)].sort(([, a], [, b]) => b.length - a.length)
  if (common === undefined) return []
  const [slip, same] = common
  if (same.length >= pairs.length * mostOf) return [columnScaleFinding(set, field, slip, same, pairs.length)]
  return off.slice(0, mostRows).map(({ entry, now, before, slip: own }) => ({
    severity: 'warning',
    code: 'import.implausible',
    component: idOf(entry),
    path: `/body/values/${field}`,
    message: `${entry.label}: ${field} ${now} is ${own.words} the previous ${before}. Check the row in the file.`,
    related: [],
    facts: { field, now: String(now), before: String(before) },
  }))
}

function columnScaleFinding(
  set: ConfigSet,
  field: string,
  { times, words }: ScaleError,
  same: readonly Pair[],
  compared: number,
): Finding {
  const [{ entry, now, before }] = same as [Pair, ...Pair[]]
  const share = compared === same.length ? rowCount(compared) : `${same.length} of ${rowCount(compared)}`
  return columnFinding(
    set,
    { field, times, compared, matching: same.length },
    `${share}: ${field} is ${words} the current value of the set, for example ${now} instead of ${before} for ${entry.body.key ?? set.key}.`,
  )
}

/** For keys that the set does not have yet, only the size of the numbers can be compared. */
function medianFindings(
  set: ConfigSet,
  field: string,
  imported: readonly ImportedEntry[],
  base: ComponentView,
): Finding[] {
  const sizes = (entries: Iterable<Entry>): number[] =>
    [...entries].map((entry) => Math.abs(numberIn(entry, field))).filter((size) => size > 0)
  const importedSizes = sizes(imported.map(({ entry }) => entry))
  const held = sizes(base.entriesOf(set.key))
  if (Math.min(importedSizes.length, held.length) < minForMedian) return []
  const [now, before] = [median(importedSizes), median(held)]
  const slip = scaleErrorOf(now / before)
  if (slip === null) return []
  const message = `${field} is typically ${now} in the file, ${slip.words} the ${before} in the set.`
  return [
    columnFinding(
      set,
      { field, times: slip.times, compared: importedSizes.length, matching: importedSizes.length },
      message,
    ),
  ]
}

function columnFinding(set: ConfigSet, facts: NonNullable<Finding['facts']>, observation: string): Finding {
  return {
    severity: 'warning',
    code: 'import.implausible',
    component: idOf(set),
    path: '',
    message: `${observation} If the column is in a different unit, multiply it by ${facts['times']}.`,
    related: [],
    facts,
  }
}

/** Returns the scale error that matches a ratio, within a factor of two. */
function scaleErrorOf(ratio: number): ScaleError | null {
  return scaleErrors.find(({ factor }) => ratio / factor > 0.5 && ratio / factor < 2) ?? null
}

function median(sizes: readonly number[]): number {
  return [...sizes].sort((a, b) => a - b)[Math.floor(sizes.length / 2)]!
}

const rowCount = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`)
