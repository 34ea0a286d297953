// The questions about a file: the answers stored in the map, the ones still open, and the labels of the answers.
import { endQuestion } from '#kernel/import/inspection.ts'
import type { ImportInspection, ImportMap, ImportQuestion } from '../../../api/tables.ts'
import { columnOf, withColumn, type Target } from './import-map.ts'
import { dateForms, dateFormOf, withDateForm, columnFormatOf } from './column-format.ts'
import { isObject } from '../../../widgets/widget.ts'

/** Questions about the format of the file: an answer makes the server read the file again. */
const ofForm: readonly ImportQuestion['about'][] = ['encoding', 'delimiter', 'header']
/** Questions that are asked in the table of columns. */
export const columnQuestions: readonly ImportQuestion['about'][] = ['key', 'from', 'field']

/** Columns with dates whose format is in the map. */
export function dateColumns(map: ImportMap, targets: readonly Target[]): string[] {
  const columns = targets.filter(({ type }) => type === 'date').map((target) => columnOf(map, target))
  return [...new Set(columns.filter((column) => column !== ''))]
}

/** Returns the map with an answer; null if the file must be read again with it. */
export function withAnswer(
  map: ImportMap,
  { about, field, columns = [] }: ImportQuestion,
  choice: string,
  targets: readonly Target[],
): ImportMap | null {
  switch (about) {
    case 'dates':
      return columns.length === 0
        ? { ...map, dates: choice }
        : withDateForm(map, columns, choice, [...dateColumns(map, targets), ...columns])
    case 'decimal':
    case 'ends':
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

/** The answer to a question; empty until it is answered. */
export function answerOf(map: ImportMap, { about, field, columns = [] }: ImportQuestion): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  switch (about) {
    case 'dates':
      return map.dates === undefined || (isObject(map.dates) && !columns.every((each) => hasForm(map, each)))
        ? ''
        : dateFormOf(map, columns[0] ?? '')
    case 'decimal':
    case 'ends':
      return text(map[about])
    case 'to':
      return text(map.toIs)
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

const hasForm = ({ dates }: ImportMap, column: string): boolean => isObject(dates) && column in dates

/**
 * The questions that the map leaves open. A column for the end answers when each row ends, and raises the question
 * whether that day is still included, unless the rows of the file already show it.
 */
export function openQuestionsOf(
  map: ImportMap,
  { questions, map: suggested }: FileQuestions,
): ImportQuestion[] {
  const end = columnOf(map, { id: 'to' })
  const openQuestions = questions.filter(({ about, columns }) =>
    about === 'ends' ? end === '' : about !== 'to' || columns?.includes(end) === true,
  )
  const known = end === '' || end === columnOf((suggested ?? {}) as ImportMap, { id: 'to' })
  return known ? openQuestions : [...openQuestions, endQuestion(end)]
}

/** The result of an inspection: the open questions and the suggested map. */
export type FileQuestions = Pick<ImportInspection, 'questions' | 'map'>

/** Why the table cannot be previewed yet: the targets without a column and the questions without an answer. */
export function describeOpenPoints(
  map: ImportMap,
  targets: readonly Target[],
  fileQuestions: FileQuestions,
): string[] {
  const lacking = targets.filter(
    (target) => target.required && columnOf(map, target) === '' && columnFormatOf(map, target).empty === '',
  )
  const openQuestions = openQuestionsOf(map, fileQuestions).filter(
    (question) => ![...columnQuestions, ...ofForm].includes(question.about) && answerOf(map, question) === '',
  )
  return [
    ...lacking.map(({ title }) => `${title} has no column yet.`),
    ...openQuestions.map(({ about }) => `Choose ${choosing[about] ?? about}.`),
  ]
}

const choosing: Record<string, string> = {
  dates: 'how the dates are written',
  decimal: 'how decimals are written',
  to: 'whether the row applies on its end day',
  ends: 'when each row ends',
}

/** The label of an answer. */
export function choiceWords(about: ImportQuestion['about'], choice: string): string {
  const words: Record<string, string> = {
    inclusive: 'it is the last day on which the row applies',
    exclusive: 'it is the first day on which the row no longer applies',
    point: '1.25, with a point',
    comma: '1,25, with a comma',
    next: 'each row ends where the next begins',
    open: 'each row has no end',
  }
  if (columnQuestions.includes(about)) return choice
  if (about === 'dates') return dateForms.find(({ value }) => value === choice)?.label ?? choice
  return words[choice] ?? choice
}
