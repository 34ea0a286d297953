// Detects the type of each column of a table (number, date, boolean, text) and its form.
import { parseDecimal } from '../decimal/decimal.ts'
import { dateFormats, readDate, type DateFormat } from './date-formats.ts'

export type ColumnType = 'number' | 'date' | 'boolean' | 'text' | 'empty'

/** `either`: every number can be read both ways, as 1.234 can. */
export type DecimalFormat = 'point' | 'comma' | 'either' | 'none' | 'mixed'

export interface ColumnProfile {
  name: string
  type: ColumnType
  /** The number of cells with and without text. */
  filled: number
  empty: number
  /** Cells that are not of the type; each is reported by line when the table is imported. */
  odd: number
  /** Number of distinct texts; counted up to a thousand. */
  distinct: number
  /** The first distinct texts, in file order. */
  samples: string[]
  /** The decimal separator of numbers. */
  decimal?: DecimalFormat
  /** Whether the numbers have a percent sign. */
  percent?: boolean
  /** Of dates: every form that fits the most cells. If there is more than one, the user is asked. */
  dates?: DateFormat[]
}

const mostSamples = 5
const mostDistinct = 1000

export function profileColumn(name: string, cells: Iterable<string>): ColumnProfile {
  const tally = new ColumnTally()
  let empty = 0
  for (const cell of cells) {
    const text = cell.trim()
    if (text === '') empty += 1
    else tally.add(text)
  }
  return { name, empty, ...tally.profile() }
}

/** All readings of one text. */
interface Reading {
  dates: readonly DateFormat[]
  number: DecimalFormat | null
  percent: boolean
  boolean: boolean
}

function readingOf(text: string): Reading {
  return {
    dates: dateFormats.filter((format) => readDate(text, format).ok),
    number: decimalFormatOf(text),
    percent: text.endsWith('%'),
    boolean: text === 'true' || text === 'false',
  }
}

/** The share of filled cells that a type needs: a few bad cells are reported by line and do not hide the type. */
const typeThreshold = 2 / 3

class ColumnTally {
  #filled = 0
  #numbers = 0
  #percents = 0
  #booleans = 0
  #plausible = 0
  readonly #dates = new Map<DateFormat, number>()
  readonly #forms = new Set<DecimalFormat>()
  readonly #known = new Map<string, Reading>()
  readonly #samples: string[] = []

  add(text: string): void {
    this.#filled += 1
    const { dates, number, percent, boolean } = this.#reading(text)
    for (const format of dates) this.#dates.set(format, (this.#dates.get(format) ?? 0) + 1)
    if (number !== null) {
      this.#numbers += 1
      this.#forms.add(number)
    }
    if (percent) this.#percents += 1
    if (boolean) this.#booleans += 1
    // Eight digits count as a date if they look like one.
    if (dates.length > 0 && (number === null || /^(19|20|21)\d{6}$/.test(text))) this.#plausible += 1
  }

  profile(): Omit<ColumnProfile, 'name' | 'empty'> {
    const counted = { filled: this.#filled, distinct: this.#known.size, samples: this.#samples }
    if (this.#filled === 0) return { type: 'empty', odd: 0, ...counted }
    const days = Math.max(0, ...this.#dates.values())
    const of = (type: ColumnType, count: number) => ({ type, odd: this.#filled - count, ...counted })
    if (this.#isMost(Math.min(days, this.#plausible)))
      return { ...of('date', days), dates: dateFormats.filter((format) => this.#dates.get(format) === days) }
    if (this.#isMost(this.#booleans)) return of('boolean', this.#booleans)
    if (!this.#isMost(this.#numbers)) return of('text', this.#filled)
    const percent = this.#isMost(this.#percents)
    return { ...of('number', this.#numbers), decimal: this.#decimal(), percent }
  }

  #isMost(count: number): boolean {
    return count > 0 && count >= this.#filled * typeThreshold
  }

  #reading(text: string): Reading {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const reading = readingOf(text)
    if (this.#known.size < mostDistinct) this.#known.set(text, reading)
    if (this.#samples.length < mostSamples && !this.#samples.includes(text))
      this.#samples.push(text.slice(0, 200))
    return reading
  }

  #decimal(): DecimalFormat {
    const [point, comma] = [this.#forms.has('point'), this.#forms.has('comma')]
    if (point && comma) return 'mixed'
    if (point || comma) return point ? 'point' : 'comma'
    return this.#forms.has('either') ? 'either' : 'none'
  }
}

/** Null if the text is not a number in any form that spreadsheets write. */
function decimalFormatOf(text: string): DecimalFormat | null {
  const bare = text
    .replace(/\s*%$/, '')
    .replace(/^[+-]\s*/, '')
    .replace(/(?<=\d)[ '’\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '')
  if (/^\d+$/.test(bare)) return 'none'
  if (/^\d{1,3}([.,])\d{3}$/.test(bare)) return 'either'
  if (/^\d+\.\d+$/.test(bare)) return parseDecimal(bare) === null ? null : 'point'
  if (/^\d+,\d+$/.test(bare)) return 'comma'
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(bare) || /^\d{1,3}(,\d{3}){2,}$/.test(bare)) return 'point'
  return /^\d{1,3}(\.\d{3})+,\d+$/.test(bare) || /^\d{1,3}(\.\d{3}){2,}$/.test(bare) ? 'comma' : null
}
