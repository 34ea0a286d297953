// A source over rows in the page: matches by prefix, word and part, ignoring case and accents, the best match first.
import { atWord, foldText, wordsIn } from '../lookup-field/fold.ts'
import type { LookupOption, LookupPage, LookupRequest, LookupSearch } from '../lookup-field/types.ts'

export interface ArraySourceOptions<Row> {
  /** The id of a row: a field, or a function that makes it. */
  value: keyof Row | ((row: Row) => string)
  /** The name of a row. */
  label: keyof Row | ((row: Row) => string)
  /** Fields that are matched if the element names none; the name by default. */
  match?: readonly (keyof Row & string)[]
  /** The URL of a row. */
  href?: (row: Row) => string | undefined
  /** Options that come before all others while nothing is typed, with a caption. */
  recent?: { caption: string; options: () => readonly LookupOption[] }
  /** The last option, shown if the typed text is not the name of a row. */
  create?: {
    label: (query: string) => string
    make: (query: string, signal: AbortSignal) => LookupOption | null | Promise<LookupOption | null>
  }
  /** Number of rows in one response; more follow when the list reaches its end. Default 500. */
  page?: number
}

interface Indexed<Row> {
  row: Row
  /** Folded texts by field, created on first use. */
  texts: Map<string, string>
  label: string
  /** Made when the row is first shown. */
  option?: LookupOption
}

/** Rows can be a function, for a list that changes. Replace a row to change it: its texts are read once. */
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
    if (now !== of || now.length !== indexed.length || indexed.some(({ row }, at) => row !== now[at])) {
      of = now
      indexed = now.map((row) => ({ row, texts: new Map(), label: foldText(read(row, options.label)) }))
    }
    return indexed
  }
  const textOf = (each: Indexed<Row>, field: string): string => {
    let text = each.texts.get(field)
    if (text === undefined)
      each.texts.set(field, (text = foldText(String((each.row as Record<string, unknown>)[field] ?? ''))))
    return text
  }
  const optionOf = (each: Indexed<Row>): LookupOption =>
    (each.option ??= {
      value: read(each.row, options.value),
      label: read(each.row, options.label),
      fields: each.row,
      href: options.href?.(each.row),
    })

  const search = (query: string, { matchFields, cursor }: LookupRequest): LookupPage => {
    const words = wordsIn(query)
    const fields = matchFields.length > 0 ? matchFields : (options.match ?? [])
    const hits =
      words.length === 0
        ? all()
        : rankRows(all(), words, (each) => fields.map((field) => textOf(each, field)), fields.length === 0)
    const from = typeof cursor === 'number' ? cursor : 0
    const pageRows = hits.slice(from, from + page).map(optionOf)
    const next = from + page < hits.length ? from + page : null
    if (from === 0 && words.length === 0 && recent)
      pageRows.unshift(...recent.options().map((option) => ({ ...option, group: recent.caption })))
    if (!next && words.length > 0 && create && !all().some(({ label }) => label === foldText(query.trim())))
      pageRows.push({
        value: '',
        label: create.label(query.trim()),
        make: (signal) => create.make(query.trim(), signal),
      })
    return { options: pageRows, next, total: hits.length }
  }
  const resolve = (id: string): LookupOption | undefined =>
    all()
      .map(optionOf)
      .find(({ value }) => String(value) === id)
  return Object.assign(search, { resolve })
}

/** Rows that contain every word, first those whose name begins with the first word. */
function rankRows<Row>(
  rows: readonly Indexed<Row>[],
  words: readonly string[],
  textsOf: (row: Indexed<Row>) => readonly string[],
  /** Whether the name is matched; it is ranked in any case. */
  named: boolean,
): Indexed<Row>[] {
  const ranks: Indexed<Row>[][] = [[], [], [], []]
  const whole = words.join(' ')
  for (const each of rows) {
    const texts = textsOf(each)
    if (says(each.label, texts, words, named))
      ranks[rankOf(each.label, texts, words[0]!, whole, named)]!.push(each)
  }
  return ranks.flat()
}

// Plain loops: they run for each of ten thousand rows at every key.

function says(label: string, texts: readonly string[], words: readonly string[], named: boolean): boolean {
  for (const word of words)
    if (!(named && label.includes(word)) && !texts.some((text) => text.includes(word))) return false
  return true
}

/** 0 for the name itself, 1 for its beginning, 2 for the beginning of a word, 3 for a part of one. */
function rankOf(
  label: string,
  texts: readonly string[],
  first: string,
  whole: string,
  named: boolean,
): 0 | 1 | 2 | 3 {
  if (label === whole) return 0
  if (label.startsWith(first)) return 1
  const begins = (named && atWord(label, first) >= 0) || texts.some((text) => atWord(text, first) >= 0)
  return begins ? 2 : 3
}
