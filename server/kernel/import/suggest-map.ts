// Suggests a map for a new table: finds columns by their names, and asks about everything that is ambiguous instead of
// guessing.
import type { ComponentOf } from '../components/body-types.ts'
import { parseScope } from '../components/scopes.ts'
import type { ConfigField } from '../components/config-set/body.ts'
import type { ColumnProfile } from './columns.ts'
import { endQuestion, type ImportQuestion } from './inspection.ts'
import { dateFormats, readDate, type DateFormat } from './date-formats.ts'
import { hasConsecutiveRows } from './open-ends.ts'
import { detectEndConvention } from './range-ends.ts'
import { ColumnIndex, type Table } from './table.ts'

export interface SuggestedMap {
  map: Record<string, unknown>
  questions: ImportQuestion[]
}

/** Usual names of columns that are not fields, in the most common languages. */
const commonColumnNames = {
  key: ['key', 'code', 'id', 'schluessel', 'schlussel', 'kennung', 'cle', 'clave', 'codice'],
  from: [
    'from',
    'validfrom',
    'effectivefrom',
    'start',
    'startdate',
    'begin',
    'since',
    'ab',
    'von',
    'gueltigab',
    'gultigab',
    'debut',
    'desde',
    'dal',
  ],
  to: [
    'to',
    'until',
    'till',
    'validto',
    'validuntil',
    'effectiveto',
    'end',
    'enddate',
    'bis',
    'gueltigbis',
    'gultigbis',
    'fin',
    'hasta',
    'al',
  ],
  scope: ['scope', 'forwhom', 'appliesto', 'geltungsbereich', 'gilt fuer', 'portee', 'ambito'],
  priority: ['priority', 'rank', 'prioritaet', 'prioritat', 'priorite', 'prioridad'],
  label: ['label', 'name', 'title', 'description', 'bezeichnung', 'beschreibung', 'libelle', 'nombre'],
} as const

export function suggestMap(
  table: Table,
  facts: readonly ColumnProfile[],
  set: ComponentOf<'config_set'>,
): SuggestedMap {
  return new MapSuggester(table, facts, set).suggest()
}

class MapSuggester {
  readonly #table: Table
  readonly #facts: readonly ColumnProfile[]
  readonly #set: ComponentOf<'config_set'>
  readonly #map: Record<string, unknown> = {}
  readonly #values: Record<string, unknown> = {}
  readonly #questions: ImportQuestion[] = []
  readonly #taken = new Set<string>()

  constructor(table: Table, facts: readonly ColumnProfile[], set: ComponentOf<'config_set'>) {
    this.#table = table
    this.#facts = facts
    this.#set = set
  }

  suggest(): SuggestedMap {
    const { body } = this.#set
    // Fields of the set come first: one could be named "from".
    for (const field of body.fields) this.#fieldByName(field)
    if (body.cardinality === 'keyed') this.#key()
    this.#forWhom()
    if (body.effectiveDated) this.#dates()
    for (const field of body.fields) this.#fieldByType(field)
    const label = this.#named([...commonColumnNames.label])
    if (label !== null) this.#map['label'] = label
    this.#decimal()
    return { map: { ...this.#map, values: this.#values }, questions: this.#questions }
  }

  #key(): void {
    const { keyedBy } = this.#set.body
    const wanted = [keyedBy?.key ?? '', ...commonColumnNames.key, this.#set.key]
    const column = this.#named(wanted)
    if (column !== null) this.#map['key'] = column
    else this.#ask('key', `Which column contains the ${keyedBy?.key ?? 'key'}, the key of ${this.#set.key}?`)
  }

  /** Finds the scope column by its name and cells, as in an export from Almanac, and the priority column. */
  #forWhom(): void {
    const column = this.#named([...commonColumnNames.scope])
    if (column !== null && this.#factsOf(column).samples.every((text) => parseScope(text) !== null))
      this.#map['scopeColumn'] = column
    if (!this.#set.body.scopes.includes('permission_set')) return
    const priority = this.#named([...commonColumnNames.priority], 'number')
    if (priority !== null) this.#map['priorityColumn'] = priority
  }

  #dates(): void {
    const from = this.#named([...commonColumnNames.from], 'date')
    const to = this.#named([...commonColumnNames.to], 'date')
    if (from !== null) this.#map['from'] = from
    else this.#ask('from', `Which column contains the first day on which a row of ${this.#set.key} applies?`)
    if (to !== null) this.#map['to'] = to
    const dated = [
      from,
      to,
      ...this.#set.body.fields.flatMap(({ key, type }) => (type === 'date' ? [this.#columnOf(key)] : [])),
    ]
    this.#formats(dated.filter((column) => column !== null))
    if (to !== null) this.#end(from, to)
    else if (from !== null) this.#nextEnds(from)
  }

  /** Uses the one form in which all these columns are dates; a separate form for each column if they differ. */
  #formats(columns: readonly string[]): void {
    const forms = new Map(
      columns.flatMap((column) => {
        const { dates, filled } = this.#factsOf(column)
        return filled === 0 || dates === undefined ? [] : [[column, dates] as const]
      }),
    )
    if (forms.size === 0) return
    const common = dateFormats.filter((format) => [...forms.values()].every((each) => each.includes(format)))
    if (common.length === 1) {
      if (common[0] !== 'YYYY-MM-DD') this.#map['dates'] = common[0]
    } else if (common.length > 1) this.#askDates([...forms.keys()], common)
    else this.#ownFormats(forms)
  }

  #ownFormats(forms: ReadonlyMap<string, readonly DateFormat[]>): void {
    const own = [...forms].flatMap(([column, [only, ...others]]) =>
      others.length === 0 ? [[column, only]] : [],
    )
    this.#map['dates'] = Object.fromEntries(own) as Record<string, DateFormat>
    for (const [column, choices] of forms) if (choices.length > 1) this.#askDates([column], choices)
  }

  #askDates(columns: string[], choices: readonly DateFormat[]): void {
    const sample = columns.flatMap((column) => this.#factsOf(column).samples)[0]
    this.#questions.push({
      about: 'dates',
      message: `Every date, such as ${sample}, can be read in more than one format. Which part is the day?`,
      choices: [...choices],
      columns,
    })
  }

  /** Returns the known format of a column's dates; null while it is asked. */
  #formatOf(column: string): DateFormat | null {
    if (this.#questions.some(({ about, columns }) => about === 'dates' && columns?.includes(column) === true))
      return null
    const dates = this.#map['dates'] as DateFormat | Record<string, DateFormat> | undefined
    return typeof dates === 'object' ? (dates[column] ?? 'YYYY-MM-DD') : (dates ?? 'YYYY-MM-DD')
  }

  /** Asks about the ends of rows of one key that have only first days. */
  #nextEnds(from: string): void {
    const format = this.#formatOf(from)
    if (format === null) return
    const columns = new ColumnIndex(this.#table)
    const place = [this.#map['key'], this.#map['scopeColumn']].filter((each) => typeof each === 'string')
    const rows = this.#table.rows.flatMap((row) => {
      const day = readDate(columns.cell(row, from), format)
      const named = JSON.stringify(place.map((column) => columns.cell(row, column)))
      return day.ok ? [{ place: named, from: day.value }] : []
    })
    if (!hasConsecutiveRows(rows)) return
    this.#questions.push({
      about: 'ends',
      message:
        'A key has several consecutive rows, and no column contains their end. When does each row end?',
      choices: ['next', 'open'],
      columns: [from],
    })
  }

  /** Detects from consecutive rows whether the end is included; asks if that is not possible. */
  #end(from: string | null, to: string): void {
    const forms = [from, to].flatMap((column) => (column === null ? [] : [this.#formatOf(column)]))
    const endConvention =
      from === null || forms.includes(null)
        ? null
        : detectEndConvention(this.#table, [this.#map['key'], this.#map['scopeColumn']], from, to, (column) =>
            this.#formatOf(column)!,
          )
    if (endConvention !== null) {
      if (endConvention === 'inclusive') this.#map['toIs'] = 'inclusive'
      return
    }
    if (this.#factsOf(to).filled === 0) return
    this.#questions.push(endQuestion(to))
  }

  #fieldByName({ key, label, type }: ConfigField): void {
    const column = this.#named([key, label ?? key], undefined, true)
    if (column !== null) this.#give(key, column, type)
  }

  /** Asks about a required field without a matching name; a column is never chosen only because its type fits. */
  #fieldByType({ key, required }: ConfigField): void {
    if (key in this.#values || !required) return
    this.#ask('field', `Which column contains ${key}, which is required in ${this.#set.key}?`, key)
  }

  #give(field: string, column: string, type: ConfigField['type']): void {
    const percent = type === 'number' && this.#factsOf(column).percent === true
    this.#values[field] = percent ? { column, as: 'percent' } : column
    this.#taken.add(column)
  }

  /**
   * Uses one form for all number columns, or a separate one for each; asks about columns that can be read both ways.
   */
  #decimal(): void {
    const fields = this.#set.body.fields.flatMap(({ key, type }) => {
      const column = type === 'number' ? this.#columnOf(key) : null
      return column === null ? [] : [{ key, column, form: this.#factsOf(column).decimal ?? 'none' }]
    })
    const open = fields.filter(({ form }) => form === 'either' || form === 'mixed')
    const signs = new Set(
      fields.map(({ form }) => form).filter((form) => form === 'comma' || form === 'point'),
    )
    if (open.length > 0) this.#askDecimal(open)
    else if (signs.size === 1) this.#map['decimal'] = [...signs][0]
    else
      for (const { key, column, form } of fields)
        if (form !== 'none') this.#write(key, { column, decimal: form })
  }

  #askDecimal(fields: readonly { column: string; form: string }[]): void {
    const columns = fields.map(({ column }) => column)
    const sample = columns
      .flatMap((column) => this.#factsOf(column).samples)
      .find((text) => /[.,]/.test(text))
    const message = fields.every(({ form }) => form === 'mixed')
      ? 'Some numbers use a decimal point and some a decimal comma. Which one is correct? The others are reported by line.'
      : `"${sample}" can be a number with three digits after the ${sample?.includes(',') === true ? 'comma' : 'point'}, or a number in the thousands. Which character separates the decimals?`
    this.#questions.push({ about: 'decimal', message, choices: ['point', 'comma'], columns })
  }

  #write(field: string, writing: { column: string; decimal: string }): void {
    const known = this.#values[field]
    this.#values[field] = typeof known === 'object' ? { ...known, ...writing } : writing
  }

  #columnOf(field: string): string | null {
    const value = this.#values[field]
    if (typeof value === 'string') return value
    return (value as { column?: string } | undefined)?.column ?? null
  }

  #factsOf(column: string): ColumnProfile {
    return this.#facts.find(({ name }) => name === column)!
  }

  /** Returns the first column, not taken yet, with one of the names and, if given, the type. */
  #named(names: readonly string[], type?: ColumnProfile['type'], keep = false): string | null {
    for (const name of names) {
      const plain = plainName(name)
      const column = this.#facts.find(
        (facts) =>
          !this.#taken.has(facts.name) &&
          plain !== '' &&
          plainName(facts.name) === plain &&
          (type === undefined || facts.type === type || facts.type === 'empty'),
      )
      if (column === undefined) continue
      if (!keep) this.#taken.add(column.name)
      return column.name
    }
    return null
  }

  #ask(about: 'key' | 'from' | 'field', message: string, field?: string): void {
    const choices = this.#facts.map(({ name }) => name).filter((name) => !this.#taken.has(name))
    this.#questions.push({ about, message, choices, ...(field === undefined ? {} : { field }) })
  }
}

/** Keeps only letters and digits, without case or diacritics: "Gültig ab" is `gultigab`. */
function plainName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}
