// What the value of an option or argument must be, by the placeholder in its declaration: `<date>`, `<n>`.
import { isIP } from 'node:net'
import { parseRepairChoice } from '#kernel/change/index.ts'
import { isComponentType } from '#kernel/components/component.ts'
import { canonicalLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { changeRequestStates } from '#kernel/requests/index.ts'
import { isAddress } from './address.ts'
import { UsageError } from './fail.ts'
import { parseInput, parseInteger, parseScope, parseSize, parseWord } from './options.ts'
import { requireAddress } from './require-address.ts'

/** @throws UsageError with the name of the option, and what it takes */
type ValueCheck = (value: string, name: string) => void

const maxPort = 65_535
const hostName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i

const checks: Readonly<Record<string, ValueCheck>> = {
  n: parseInteger,
  generation: parseInteger,
  number: parseInteger,
  size: parseSize,
  port: checkOf(
    `a number from 0 (any free port) to ${maxPort}`,
    (value) => /^\d{1,5}$/.test(value) && Number(value) <= maxPort,
  ),
  date: checkOf('a date that exists, as YYYY-MM-DD', isDate),
  'date|none': checkOf(
    'a date that exists, as YYYY-MM-DD, or "none"',
    (value) => value === 'none' || isDate(value),
  ),
  'type/key': checkOf('<type>/<key>, such as config_entry/vat_rate.de', isComponentId),
  'subject/key': checkOf('<type>/<key>, such as config_set/vat_rate or user/ada', (value) =>
    /^[a-z_]+\/./.test(value),
  ),
  address: checkOf('an IP address or a host name', isHost),
  host: checkOf('a host name, an address or a network such as 10.1.0.0/16', isTarget),
  url: requireUrl,
  collector: checkOf('the http or https URL of a collector, such as http://localhost:4318', isHttpUrl),
  'dir or URL': requireUrlIfAddress,
  'key or url': requireUrlIfAddress,
  tag: (value, name) => {
    if (canonicalLocale(value) === null) throw new UsageError(`${name}: ${explainLocale(value)}`)
  },
  states: (value, name) => {
    for (const state of value.split(',')) parseWord(state, changeRequestStates, name)
  },
  'kind=value': (value) => parseScope([value]),
  'name:type=value': (value) => parseInput(value),
  choice: requireRepair,
}

/**
 * Checks a value by the placeholder that declares it; words that are separated by `|` are the only values.
 * @param name the option, `--as-of`, or the argument, `<generation>`
 * @throws UsageError
 */
export function checkValue(placeholder: string, value: string, name: string): void {
  const check = checks[placeholder]
  if (check !== undefined) check(value, name)
  else if (placeholder.includes('|')) parseWord(value, placeholder.split('|'), name)
}

/** `date` of `--on <date>` and of `[date]`, `host` of `--allow-target <host...>`; null for a flag. */
export function placeholderOf(declaration: string): string | null {
  return /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(declaration)?.[1] ?? null
}

function checkOf(takes: string, isValid: (value: string) => boolean): ValueCheck {
  return (value, name) => {
    if (!isValid(value)) throw new UsageError(`${name} must be ${takes}, not "${value}".`)
  }
}

function requireUrl(value: string, name: string): void {
  try {
    requireAddress(value)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message} Correct ${name}.`) : error
  }
}

function requireUrlIfAddress(value: string, name: string): void {
  if (isAddress(value)) requireUrl(value, name)
}

function requireRepair(value: string, name: string): void {
  try {
    parseRepairChoice(value)
  } catch (error) {
    throw error instanceof AlmanacError ? new UsageError(`${name}: ${error.message}`) : error
  }
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isDate(value: string): boolean {
  return parseCivilDate(value) !== null
}

function isComponentId(value: string): boolean {
  const [type = '', key = ''] = value.split('/')
  return isComponentType(type) && key !== ''
}

function isHost(value: string): boolean {
  return isIP(value) !== 0 || hostName.test(value)
}

function isTarget(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/')
  if (prefix === undefined) return isHost(address)
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}
