// The mapping step: what a set wants from a table, which column gives it, and what was answered (studio: "CSV import").
import type { ImportInspection, ImportMap, ImportQuestion } from '../../../api/tables.ts'
import type { JsonObject, JsonValue } from '../../../api/wire.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { isObject } from '../../../widgets/widget.ts'

/** What a column can be. */
export interface Target {
  id: 'key' | 'from' | 'to' | 'scopeColumn' | 'priorityColumn' | 'label' | `field:${string}`
  title: string
  help: string
  required: boolean
  /** The field's type; of a date and a text otherwise. */
  type: string
}

export function targetsOf({ keyedBy, dated, fields, scopes }: EntrySet): Target[] {
  const key: Target[] =
    keyedBy === null
      ? []
      : [{ id: 'key', title: keyedBy.key, help: 'Which row it is.', required: true, type: keyedBy.type }]
  const dates: Target[] = dated
    ? [
        {
          id: 'from',
          title: 'First day',
          help: 'The first day on which the row counts.',
          required: true,
          type: 'date',
        },
        { id: 'to', title: 'End', help: 'An empty cell is open-ended.', required: false, type: 'date' },
      ]
    : []
  const whom: Target[] = scopes.every((kind) => kind === 'org')
    ? []
    : [
        {
          id: 'scopeColumn',
          title: 'For whom',
          help: 'org, or a kind and a name as in environment=test.',
          required: false,
          type: 'scope',
        },
        ...(scopes.includes('permission_set')
          ? [
              {
                id: 'priorityColumn',
                title: 'Priority',
                help: 'Which permission set wins.',
                required: false,
                type: 'whole number',
              } as const,
            ]
          : []),
      ]
  return [
    ...key,
    ...fields.map((field): Target => ({
      id: `field:${field.key}`,
      title: field.label,
      help: field.help,
      required: field.required,
      type: field.type,
    })),
    ...dates,
    ...whom,
    {
      id: 'label',
      title: 'Label',
      help: 'Left out, it is made of key and first day.',
      required: false,
      type: 'text',
    },
  ]
}

const fieldOf = (id: Target['id']): string | null =>
  id.startsWith('field:') ? id.slice('field:'.length) : null

const valuesOf = (map: ImportMap): JsonObject => (isObject(map.values) ? map.values : {})

/** The column that gives a target; empty where none does. */
export function columnOf(map: ImportMap, { id }: Pick<Target, 'id'>): string {
  const field = fieldOf(id)
  const given = field === null ? map[id] : valuesOf(map)[field]
  if (typeof given === 'string') return given
  return isObject(given) && typeof given.column === 'string' ? given.column : ''
}

/** The map with another column for a target; an empty one takes it away. How it is written stays said. */
export function withColumn(map: ImportMap, { id }: Pick<Target, 'id'>, column: string): ImportMap {
  const field = fieldOf(id)
  if (field === null) return put(map, id, column === '' ? undefined : column)
  const now = valuesOf(map)[field]
  const next: JsonValue | undefined = isObject(now) ? { ...now, column } : column === '' ? undefined : column
  return { ...map, values: put(valuesOf(map), field, column === '' ? undefined : next) }
}

/** How a field is written in its column: as a percentage, and what an empty cell means. */
export interface Writing {
  percent: boolean
  empty: string
}

export function writingOf(map: ImportMap, { id }: Pick<Target, 'id'>): Writing {
  const given = valuesOf(map)[fieldOf(id) ?? '']
  return {
    percent: isObject(given) && given.as === 'percent',
    empty: isObject(given) && typeof given.empty === 'string' ? given.empty : '',
  }
}

export function withWriting(
  map: ImportMap,
  target: Pick<Target, 'id'>,
  { percent, empty }: Writing,
): ImportMap {
  const field = fieldOf(target.id)
  const column = columnOf(map, target)
  if (field === null || column === '') return map
  const plain = !percent && empty === ''
  const value: JsonValue = plain
    ? column
    : { column, ...(percent ? { as: 'percent' } : {}), ...(empty === '' ? {} : { empty }) }
  return { ...map, values: { ...valuesOf(map), [field]: value } }
}

/** What stands between several keys of one cell, each of which gets the row. */
export const splits = [
  { value: '', label: 'one key a cell' },
  { value: '\n', label: 'several, one a line' },
  { value: ',', label: 'several, with commas' },
  { value: ';', label: 'several, with semicolons' },
  { value: ' ', label: 'several, with spaces' },
  { value: '|', label: 'several, with bars' },
] as const

export function splitOf(map: ImportMap): string {
  return typeof map.split === 'string' ? map.split : ''
}

export function withSplit(map: ImportMap, split: string): ImportMap {
  return put(map, 'split', split === '' ? undefined : split)
}

/** An answer, where it goes into the map; null where the file has to be looked at anew with it. */
export function withAnswer(
  map: ImportMap,
  { about, field }: ImportQuestion,
  choice: string,
): ImportMap | null {
  switch (about) {
    case 'dates':
    case 'decimal':
      return { ...map, [about]: choice }
    case 'to':
      return { ...map, toIs: choice }
    case 'key':
    case 'from':
      return { ...map, [about]: choice }
    case 'field':
      return withColumn(map, { id: `field:${field ?? ''}` }, choice)
    case 'encoding':
    case 'delimiter':
    case 'header':
      return null
  }
}

/** The answer that a question has; empty while it waits for one. */
export function answerOf(map: ImportMap, { about, field }: ImportQuestion): string {
  switch (about) {
    case 'dates':
    case 'decimal':
      return typeof map[about] === 'string' ? map[about] : ''
    case 'to':
      return typeof map.toIs === 'string' ? map.toIs : ''
    case 'key':
    case 'from':
      return columnOf(map, { id: about })
    case 'field':
      return columnOf(map, { id: `field:${field ?? ''}` })
    case 'encoding':
    case 'delimiter':
    case 'header':
      return ''
  }
}

/** Why the table cannot be previewed yet: what has no column, and what has no answer. */
export function openPoints(
  map: ImportMap,
  targets: readonly Target[],
  questions: readonly ImportQuestion[],
): string[] {
  const lacking = targets.filter(
    (target) => target.required && columnOf(map, target) === '' && writingOf(map, target).empty === '',
  )
  const asked = questions.filter(
    (question) =>
      !['key', 'from', 'field', 'encoding', 'delimiter', 'header'].includes(question.about) &&
      answerOf(map, question) === '',
  )
  return [
    ...lacking.map(({ title }) => `${title} has no column yet.`),
    ...asked.map(({ about }) => `Say ${saying[about] ?? about}.`),
  ]
}

const saying: Record<string, string> = {
  dates: 'how the dates are written',
  decimal: 'how decimals are written',
  to: 'whether the end still counts',
}

/** What an answer means, in words. */
export function choiceWords(about: ImportQuestion['about'], choice: string): string {
  const words: Record<string, string> = {
    inclusive: 'it is the last day that counts',
    exclusive: 'it is the first day that no longer counts',
    point: '1.25, with a point',
    comma: '1,25, with a comma',
    'DD/MM/YYYY': 'day first, 31/12/2026',
    'MM/DD/YYYY': 'month first, 12/31/2026',
    'DD.MM.YYYY': '31.12.2026',
    'YYYY-MM-DD': '2026-12-31',
    YYYYMMDD: '20261231',
  }
  if (about === 'header') return choice === 'true' ? 'the names of the columns' : 'a row of values'
  return about === 'field' || about === 'key' || about === 'from' ? choice : (words[choice] ?? choice)
}

/** Samples of the column that gives a target, from the rows that were read. */
export function samplesOf({ columns }: Pick<ImportInspection, 'columns'>, column: string): string[] {
  return columns.find(({ name }) => name === column)?.samples ?? []
}

function put(holder: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const { [name]: _before, ...others } = holder
  return value === undefined ? others : { ...others, [name]: value }
}
