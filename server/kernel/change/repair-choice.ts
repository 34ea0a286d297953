// Reads a repair from the command line: which findings, and how to fix them.
import { AlmanacError } from '../errors/almanac-error.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'

export interface RepairChoice {
  /** The code of the findings to repair. */
  code: string
  /** Limits the repair to this set, this business key, this first day; all if omitted. */
  set?: string
  key?: string
  day?: string
  /** A choice that the findings offer: extend_earlier, extend_later, end_earlier, extend_last, set_value, drop_key. */
  choice: string
  /** For set_value: field → value as text. No other values are added. */
  values?: Readonly<Record<string, string>>
}

/** The findings that can be repaired, and the choices (config-set/range-findings.ts offers them). */
const choicesOf: Readonly<Record<string, readonly string[]>> = {
  'config.range_gap': ['extend_earlier', 'extend_later', 'set_value', 'drop_key'],
  'config.range_end': ['extend_last', 'set_value', 'drop_key'],
  'config.range_overlap': ['end_earlier'],
}

/** Whether findings of this code can offer repairs. */
export function isRepairable(code: string): boolean {
  return Object.hasOwn(choicesOf, code)
}

const choicePattern =
  /^(?<code>[a-z_]+\.[a-z_]+)(?::(?<key>.*?))?(?:@(?<day>\d{4}-\d{2}-\d{2}))?=(?<choice>[a-z_]+)(?::(?<values>.*))?$/s

/**
 * Reads `config.range_gap=extend_earlier`, `config.range_gap:HR=extend_later`,
 * `config.range_gap:LU@2022-12-31=extend_earlier` or `config.range_end:GR-69=set_value:rate=0.19,currency=EUR`.
 * @throws AlmanacError request.invalid with the format, or with the codes and choices that exist.
 */
export function parseRepairChoice(text: string): RepairChoice {
  const groups = choicePattern.exec(text)?.groups
  if (groups === undefined) throw malformedError(text)
  const { code, key, day, choice, values } = groups as Record<string, string | undefined>
  requireRepairChoice(code!, choice!)
  if ((choice === 'set_value') !== (values !== undefined)) throw malformedError(text)
  return {
    code: code!,
    ...(key === undefined || key === '' ? {} : { key }),
    ...(day === undefined ? {} : { day }),
    choice: choice!,
    ...(values === undefined ? {} : { values: parseValues(values, text) }),
  }
}

/** @throws AlmanacError request.invalid naming the codes that can be repaired, or the choices of this one */
export function requireRepairChoice(code: string, choice: string): void {
  const codes = Object.keys(choicesOf)
  if (!Object.hasOwn(choicesOf, code))
    throw new AlmanacError(
      'request.invalid',
      `Findings with the code "${code}" cannot be repaired, only ${codes.join(', ')}.${didYouMean(code, codes)}`,
    )
  const choices = choicesOf[code]!
  if (!choices.includes(choice))
    throw new AlmanacError(
      'request.invalid',
      `"${choice}" is not a repair of ${code}; the repairs are ${choices.join(', ')}.${didYouMean(choice, choices)}`,
    )
}

function parseValues(list: string, text: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => /^([a-z][a-z0-9_]*)=(.*)$/s.exec(pair))
  if (pairs.some((pair) => pair === null)) throw malformedError(text)
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]))
}

function malformedError(text: string): AlmanacError {
  return new AlmanacError(
    'request.invalid',
    `"${text}" is not a valid repair. Write <code>[:<key>][@<first day>]=<choice>, such as config.range_gap=extend_earlier, config.range_gap:LU@2022-12-31=extend_later or config.range_end:GR-69=set_value:rate=0.19.`,
  )
}

/** Reports whether a choice applies to a finding. */
export function matchesFinding(choice: RepairChoice, { code, facts }: Finding): boolean {
  const day = facts?.['from'] ?? facts?.['endsOn']
  return (
    choice.code === code &&
    (choice.set === undefined || choice.set === facts?.['set']) &&
    (choice.key === undefined || choice.key === facts?.['key']) &&
    (choice.day === undefined || choice.day === day)
  )
}

/** Returns how specific a choice is; the most specific of several wins. */
export function specificity({ set, key, day }: RepairChoice): number {
  return (set === undefined ? 0 : 1) + (key === undefined ? 0 : 2) + (day === undefined ? 0 : 4)
}
