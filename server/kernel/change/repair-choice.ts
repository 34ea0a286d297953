// A repair as a person writes it: which findings, and what to do about them (completions 7; issue: --repair).
import { AlmanacError } from '../errors/almanac-error.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'

export interface RepairChoice {
  /** Code of the findings it is for. */
  code: string
  /** Only of this set, this business key, this first day; all of them where left out. */
  set?: string
  key?: string
  day?: string
  /** A choice that the findings offer: extend_earlier, extend_later, end_earlier, extend_last, set_value, drop_key. */
  choice: string
  /** For set_value: field → value as text. Nothing is added to it. */
  values?: Readonly<Record<string, string>>
}

/** What can be repaired, and how (config-set/range-findings.ts offers it). */
const choicesOf: Readonly<Record<string, readonly string[]>> = {
  'config.range_gap': ['extend_earlier', 'extend_later', 'set_value', 'drop_key'],
  'config.range_end': ['extend_last', 'set_value', 'drop_key'],
  'config.range_overlap': ['end_earlier'],
}

/** Whether a finding of this code offers repairs, if not always. */
export function isRepairable(code: string): boolean {
  return Object.hasOwn(choicesOf, code)
}

const written =
  /^(?<code>[a-z_]+\.[a-z_]+)(?::(?<key>.*?))?(?:@(?<day>\d{4}-\d{2}-\d{2}))?=(?<choice>[a-z_]+)(?::(?<values>.*))?$/s

/**
 * Reads `config.range_gap=extend_earlier`, `config.range_gap:HR=extend_later`,
 * `config.range_gap:LU@2022-12-31=extend_earlier` or `config.range_end:GR-69=set_value:rate=0.19,currency=EUR`.
 * @throws AlmanacError request.invalid with the form, or with the codes and choices that there are.
 */
export function parseRepairChoice(text: string): RepairChoice {
  const found = written.exec(text)?.groups
  if (found === undefined) throw malformed(text)
  const { code, key, day, choice, values } = found as Record<string, string | undefined>
  demandOffered(code!, choice!)
  if ((choice === 'set_value') !== (values !== undefined)) throw malformed(text)
  return {
    code: code!,
    ...(key === undefined || key === '' ? {} : { key }),
    ...(day === undefined ? {} : { day }),
    choice: choice!,
    ...(values === undefined ? {} : { values: parseValues(values, text) }),
  }
}

/** @throws AlmanacError request.invalid naming the codes that can be repaired, or the choices of this one */
export function demandOffered(code: string, choice: string): void {
  const codes = Object.keys(choicesOf)
  if (!Object.hasOwn(choicesOf, code))
    throw new AlmanacError(
      'request.invalid',
      `No finding "${code}" can be repaired; ${codes.join(', ')} can.${didYouMean(code, codes)}`,
    )
  const choices = choicesOf[code]!
  if (!choices.includes(choice))
    throw new AlmanacError(
      'request.invalid',
      `"${choice}" is no repair of ${code}; there are ${choices.join(', ')}.${didYouMean(choice, choices)}`,
    )
}

function parseValues(list: string, text: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => /^([a-z][a-z0-9_]*)=(.*)$/s.exec(pair))
  if (pairs.some((pair) => pair === null)) throw malformed(text)
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]))
}

function malformed(text: string): AlmanacError {
  return new AlmanacError(
    'request.invalid',
    `"${text}" is no repair. Write <code>[:<key>][@<first day>]=<choice>, such as config.range_gap=extend_earlier, config.range_gap:LU@2022-12-31=extend_later or config.range_end:GR-69=set_value:rate=0.19.`,
  )
}

/** Whether a choice is meant for a finding. */
export function isFor(choice: RepairChoice, { code, facts }: Finding): boolean {
  const day = facts?.['from'] ?? facts?.['endsOn']
  return (
    choice.code === code &&
    (choice.set === undefined || choice.set === facts?.['set']) &&
    (choice.key === undefined || choice.key === facts?.['key']) &&
    (choice.day === undefined || choice.day === day)
  )
}

/** How narrowly a choice is meant; the narrowest of several counts. */
export function narrowness({ set, key, day }: RepairChoice): number {
  return (set === undefined ? 0 : 1) + (key === undefined ? 0 : 2) + (day === undefined ? 0 : 4)
}
