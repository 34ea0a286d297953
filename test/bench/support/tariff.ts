// The tariff: keys with consecutive date ranges at org, half of them with an override of one environment.
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { dateOf, type CivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { random } from './random.ts'

/** One range of one key, in the plain form from which every side makes its rules. */
export interface Row {
  env: string | null
  from: number
  to: number | null
  value: string
}

export interface TariffKey {
  key: string
  /** Ordered by day; those of an environment last. */
  rows: Row[]
}

export interface Question {
  key: string
  env: string
  day: number
  date: CivilDate
}

const firstDay = 10_000
const rangeDays = 365

/**
 * `overrides`: every second key also has two ranges in `prod`, in the middle of the period, so that some questions fall
 * through to org.
 */
export function tariff(keys: number, ranges: number, overrides: boolean): TariffKey[] {
  return Array.from({ length: keys }, (_, at) => {
    const offset = at % 97
    const from = (range: number): number => firstDay + offset + range * rangeDays
    const rows = Array.from({ length: ranges }, (_, range): Row => {
      const to = range === ranges - 1 ? null : from(range + 1)
      return { env: null, from: from(range), to, value: amount(at, range) }
    })
    if (overrides && at % 2 === 0)
      for (const range of [2, 3])
        rows.push({
          env: 'prod',
          from: from(range) + 30,
          to: from(range + 1) + 30,
          value: amount(at, range + 50),
        })
    return { key: `key_${String(at).padStart(6, '0')}`, rows }
  })
}

function amount(key: number, range: number): string {
  return `${key}.${String(range).padStart(2, '0')}`
}

/** Days from the first on which every key has a value to a year after the last range begins. */
export function questionsOver(keys: readonly TariffKey[], ranges: number, count: number): Question[] {
  const next = random(20_260_101)
  return Array.from({ length: count }, () => {
    const { key } = keys[Math.floor(next() * keys.length)]!
    const day = firstDay + 97 + Math.floor(next() * rangeDays * ranges)
    return { key, env: next() < 0.5 ? 'prod' : 'dev', day, date: dateOf(day as DayNumber) }
  })
}

/** Finds every answer by reading all rows of the key: too simple to be wrong. */
export function oracle(keys: readonly TariffKey[], questions: readonly Question[]): string[] {
  const byKey = new Map(keys.map((each) => [each.key, each.rows]))
  return questions.map(({ key, env, day }) => {
    const holding = byKey.get(key)!.filter(({ from, to }) => from <= day && (to === null || day < to))
    const row = holding.find((each) => each.env === env) ?? holding.find((each) => each.env === null)
    return row!.value
  })
}

/** The set as component files. */
export function tariffSet(set: string, scopes: readonly string[]): object {
  const body = {
    cardinality: 'keyed',
    keyedBy: { key: 'code', type: 'text' },
    scopes,
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 12, scale: 2, required: true }],
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  }
  return { type: 'config_set', key: set, label: 'Rates', body }
}

/** The object whose field dates the set. */
export const invoice = {
  type: 'object',
  key: 'invoice',
  label: 'Invoice',
  body: { fields: [{ key: 'tax_point', type: 'date', label: 'Tax point', required: true }] },
}

export function tariffEntries(set: string, keys: readonly TariffKey[]): object[] {
  return keys.flatMap(({ key, rows }) => rows.map((row) => entryOf(set, key, row)))
}

export function entryOf(set: string, key: string, { env, from, to, value }: Row): object {
  const slug = `${key}_${env ?? 'org'}_${from}`
  const body = {
    set,
    key,
    scope: env === null ? { kind: 'org' } : { kind: 'environment', environment: env },
    effectiveFrom: dateOf(from as DayNumber),
    effectiveTo: to === null ? null : dateOf(to as DayNumber),
    values: { rate: value },
  }
  return { type: 'config_entry', key: `${set}.${slug}`, label: key, body }
}

export interface ParsedTariff {
  set: ComponentOf<'config_set'>
  entries: ComponentOf<'config_entry'>[]
}

/**
 * Parsed and normalised, as in an apply.
 * @throws Error if a component does not parse
 */
export function parsedTariff(set: object, entries: Iterable<object>): ParsedTariff {
  const definition = parsed(set) as ComponentOf<'config_set'>
  const view = new MemoryView([definition])
  const { normalise } = roomOf('config_entry')
  const normal = [...entries].map((json) => {
    const entry = parsed(json) as ComponentOf<'config_entry'>
    return normalise?.(entry, view) ?? entry
  })
  return { set: definition, entries: normal }
}

function parsed(json: object): Component {
  const { component, findings } = parseComponent(json)
  if (component === null) throw new Error(JSON.stringify(findings))
  return component
}
