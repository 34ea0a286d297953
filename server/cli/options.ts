// Reads flags as typed values; a value that is not valid is a usage error and is named.
import { canonicalLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { exprValueFromField } from '#kernel/expr/index.ts'
import { UsageError } from './fail.ts'
import type { Call } from './command-definition.ts'

/** Returns the text of a flag; undefined if omitted. */
export function textOption({ options }: Call, name: string): string | undefined {
  return options[name] as string | undefined
}

export function hasFlag({ options }: Call, name: string): boolean {
  return options[name] === true
}

export function listOption({ options }: Call, name: string): string[] {
  return (options[name] as string[] | undefined) ?? []
}

/** Returns a whole number from 0. @throws UsageError */
export function integerOption(call: Call, name: string): number | undefined {
  const given = textOption(call, name)
  return given === undefined ? undefined : parseInteger(given, `--${name}`)
}

export function parseInteger(text: string, what: string): number {
  if (!/^\d{1,10}$/.test(text))
    throw new UsageError(`${what} must be a whole number, 0 or more, not "${text}".`)
  return Number(text)
}

/** Returns one of a few words. @throws UsageError naming them */
export function choiceOption<T extends string>(call: Call, name: string, words: readonly T[]): T | undefined {
  const word = textOption(call, name)
  return word === undefined ? undefined : parseWord(word, words, `--${name}`)
}

/** @throws UsageError naming the words */
export function parseWord<T extends string>(text: string, words: readonly T[], what: string): T {
  const word = words.find((each) => each === text)
  if (word !== undefined) return word
  throw new UsageError(`${what} must be one of ${words.join(', ')}, not "${text}".${didYouMean(text, words)}`)
}

const kinds = ['user', 'permission_set', 'locale', 'app', 'environment'] as const

/** Reads `environment=prod permission_set=a,b` as a scope path; undefined if omitted. @throws UsageError */
export function scopeOption(call: Call): ScopePath | undefined {
  const given = listOption(call, 'scope')
  return given.length === 0 ? undefined : parseScope(given)
}

/** @throws UsageError */
export function parseScope(options: readonly string[]): ScopePath {
  const path: Record<string, string | string[]> = {}
  for (const pair of options) {
    const at = pair.indexOf('=')
    const [kind, value] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)]
    if (at < 1 || value === '')
      throw new UsageError(`--scope must be kind=value, such as environment=prod, not "${pair}".`)
    if (!kinds.includes(kind as never))
      throw new UsageError(
        kind === 'org'
          ? 'The org scope always applies. Remove --scope org=….'
          : `--scope: "${kind}" is not a scope kind. The kinds are ${kinds.join(', ')}.${didYouMean(kind, kinds)}`,
      )
    if (path[kind] !== undefined)
      throw new UsageError(
        `--scope contains ${kind} twice; a request can have only one. Separate several permission sets with commas: a,b.`,
      )
    path[kind] = kind === 'permission_set' ? value.split(',') : kind === 'locale' ? localeOf(value) : value
  }
  return path
}

/** @throws UsageError */
function localeOf(text: string): string {
  const locale = canonicalLocale(text)
  if (locale === null) throw new UsageError(`--scope: ${explainLocale(text)}`)
  return locale
}

type InputValues = Record<string, { type: string; value: string | boolean }>

/** Reads `amount:number=100.00` as declared inputs. @throws UsageError */
export function inputOptions(call: Call): InputValues {
  const inputs: InputValues = {}
  for (const given of listOption(call, 'input')) {
    const { name, type, value } = parseInput(given)
    if (Object.hasOwn(inputs, name))
      throw new UsageError(`--input contains ${name} twice. Remove one of the two.`)
    inputs[name] = { type, value }
  }
  return inputs
}

const inputTypes = ['number', 'text', 'boolean', 'date', 'datetime'] as const

/** @throws UsageError */
export function parseInput(argument: string): { name: string; type: string; value: string | boolean } {
  const [, name, type, text] = /^([a-z][a-z0-9_]*):([a-z]+)=(.*)$/s.exec(argument) ?? []
  if (name === undefined)
    throw new UsageError(`--input must be name:type=value, such as amount:number=100.00, not "${argument}".`)
  const inputType = inputTypes.find((each) => each === type)
  if (inputType === undefined)
    throw new UsageError(
      `--input ${name}: "${type}" is not a type. The types are ${inputTypes.join(', ')}.${didYouMean(type!, inputTypes)}`,
    )
  if (inputType === 'boolean' && text !== 'true' && text !== 'false')
    throw new UsageError(`--input ${name} is boolean: it must be true or false, not "${text}".`)
  const value = inputType === 'boolean' ? text === 'true' : text!
  try {
    exprValueFromField(inputType, value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--input ${name} is a ${inputType}: ${error.message}`)
  }
  return { name, type: inputType, value }
}

const units = { B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 } as const

/** `128MiB`, `64 KiB`, or a number of bytes. @throws UsageError */
export function parseSize(text: string, what: string): number {
  const [, number, unit = 'B'] = /^(\d{1,15})\s*(B|KiB|MiB|GiB)?$/i.exec(text.trim()) ?? []
  const size = Number(number) * units[unit.toUpperCase() as keyof typeof units]
  if (number === undefined || size < 1 || !Number.isSafeInteger(size))
    throw new UsageError(`${what} must be a size such as 128MiB, not "${text}".`)
  return size
}

/** Parses JSON. @throws AlmanacError request.malformed naming its source */
export function parseJsonText(source: string, what: string): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    throw new AlmanacError('request.malformed', `${what} is not valid JSON: ${(cause as Error).message}.`, {
      cause,
    })
  }
}
