// A result on the pages: a stored one, or one from a file.
import type { ImportedResult, ResultSource } from '../../api/evaluate.ts'
import type { Binding, StoredResult } from '../../api/wire.ts'

export interface ShownResult extends ImportedResult {
  /** Null if it comes from a file: it cannot be rebound, archived or exported as evidence here. */
  id: string | null
  label: string
  /** Its source, in words. */
  from: string
  archived: boolean
}

export function fromStoredResult(result: StoredResult, from: string): ShownResult {
  const { id, label, expression, inputs, value, binding, state } = result
  return { id, label, from, expression, inputs, value, binding, archived: state === 'archived' }
}

export function toResultSource({ id, expression, inputs, value, binding }: ShownResult): ResultSource {
  if (id !== null) return { resultId: id }
  return { expression, value, binding, ...(inputs === undefined ? {} : { inputs }) }
}

/** Reads the output of `almanac evaluate --json`. @throws Error with a message for the user */
export function parseImportedResult(text: string, name: string): ShownResult {
  const json = readJson(text)
  const { expression, inputs, value, binding } = json
  if (typeof expression !== 'string' || typeof value !== 'string' || !isObject(binding))
    throw new Error(
      `${name} is not a result: it needs expression, value and binding, as “almanac evaluate --json” writes them.`,
    )
  const label = typeof json.label === 'string' ? json.label : name
  return {
    ...{ id: null, label, from: `opened from ${name}`, archived: false },
    ...{ expression, inputs, value, binding: binding as unknown as Binding },
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    const found = JSON.parse(text) as unknown
    return isObject(found) ? found : {}
  } catch {
    throw new Error('This is not valid JSON.')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `amount 840.00, net 12`. */
export function inputWords(inputs: unknown): string {
  if (!isObject(inputs)) return ''
  return Object.entries(inputs)
    .map(([name, given]) => `${name} ${String(isObject(given) ? (given.value ?? 'nothing') : given)}`)
    .join(', ')
}
