// A source over rows that the page holds: by prefix, word and part, without case and accents, the best first.
import { atWord, folded, wordsIn } from '../lookup-field/fold.ts'
import type { LookupOption, LookupPage, LookupRequest, LookupSearch } from '../lookup-field/types.ts'

export interface ArraySourceOptions<Row> {
  /** The id of a row: a field, or what makes it. */
  value: keyof Row | ((row: Row) => string)
  /** The name of a row. */
  label: keyof Row | ((row: Row) => string)
  /** Fields that are matched where the element names none; the name where this is left out too. */
  match?: readonly (keyof Row & string)[]
  /** Where a row lives. */
  href?: (row: Row) => string | undefined
  /** Options before all others while nothing is typed, captioned. */
  recent?: { caption: string; options: () => readonly LookupOption[] }
  /** Stands last once something is typed that is the name of no row. */
  create?: {
    label: (query: string) => string
    make: (query: string) => LookupOption | null | Promise<LookupOption | null>
  }
  /** Rows of one answer; more are given when the list comes to its end. 500 where left out. */
  page?: number
}

interface Indexed<Row> {
  row: Row
  /** Folded texts by field, made when the field is first asked for. */
  texts: Map<string, string>
  label: string
}

/** Rows may be a function, for a list that changes. */
export function arraySource<Row extends object>(
  rows: readonly Row[] | (() => readonly Row[]),
  options: ArraySourceOptions<Row>,
): LookupSearch {
  const { recent, create, page = 500 } = options
  const read = (row: Row, from: keyof Row | ((row: Row) => string)): string =>
    typeof from === 'function' ? from(row) : String(row[from] ?? '')
  let of: readonly Row[] | null = null
  let indexed: Indexed<Row>[] = []
  const all = (): Indexed<Row>[] => {
    const now = typeof rows === 'function' ? rows() : rows
    if (now !== of || now.length !== indexed.length) {
      of = now
      indexed = now.map((row) => ({ row, texts: new Map(), label: folded(read(row, options.label)) }))
    }
    return indexed
  }
  const textOf = (each: Indexed<Row>, field: string): string => {
    let text = each.texts.get(field)
    if (text === undefined)
      each.texts.set(field, (text = folded(String((each.row as Record<string, unknown>)[field] ?? ''))))
    return text
  }
  const optionOf = ({ row }: Indexed<Row>): LookupOption => {
    const href = options.href?.(row)
    return {
      value: read(row, options.value),
      label: read(row, options.label),
      fields: row as Record<string, unknown>,
      ...(href === undefined ? {} : { href }),
    }
  }

  return (query, { matchFields, cursor }: LookupRequest): LookupPage => {
    const asked = wordsIn(query)
    const fields = matchFields.length > 0 ? matchFields : (options.match ?? [])
    const found =
      asked.length === 0
        ? all()
        : ranked(
            all(),
            asked,
            (each) => [each.label, ...fields.map((field) => textOf(each, field))],
            matchFields.length > 0,
          )
    const from = typeof cursor === 'number' ? cursor : 0
    const shown = found.slice(from, from + page).map(optionOf)
    const next = from + page < found.length ? from + page : null
    if (from === 0 && asked.length === 0 && recent !== undefined)
      shown.unshift(...recent.options().map((option) => ({ ...option, group: recent.caption })))
    if (
      next === null &&
      asked.length > 0 &&
      create !== undefined &&
      !found.some(({ label }) => label === folded(query.trim()))
    )
      shown.push({ value: '', label: create.label(query.trim()), make: () => create.make(query.trim()) })
    return { options: shown, next, total: found.length }
  }
}

/** Rows that say every word, those first whose name begins with the first of them. */
function ranked<Row>(
  rows: readonly Indexed<Row>[],
  asked: readonly string[],
  textsOf: (row: Indexed<Row>) => string[],
  namedFields: boolean,
): Indexed<Row>[] {
  const ranks: Indexed<Row>[][] = [[], [], [], []]
  for (const each of rows) {
    const [label = '', ...others] = textsOf(each)
    // Fields that the element names are the only ones that are matched; the name still ranks.
    const texts = namedFields ? others : [label, ...others]
    if (!asked.every((word) => texts.some((text) => text.includes(word)))) continue
    const [first = ''] = asked
    const rank =
      label === asked.join(' ')
        ? 0
        : label.startsWith(first)
          ? 1
          : texts.some((text) => atWord(text, first) >= 0)
            ? 2
            : 3
    ranks[rank]!.push(each)
  }
  return ranks.flat()
}
