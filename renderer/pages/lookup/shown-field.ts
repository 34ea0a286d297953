// The field of the gallery as an address: attributes as in markup, its source, and the direction around it.
import { attributeOf, lookupInputs, type LookupInput } from '#kernel/components/placeable-elements.ts'

export type InputValue = string | number | boolean
export type Inputs = Partial<Record<LookupInput, InputValue>>

export interface ShownField {
  inputs: Inputs
  /** Id of a source. */
  source: string
  dir: 'ltr' | 'rtl'
}

export const inputNames = Object.keys(lookupInputs) as LookupInput[]

/** The value of an input; undefined if the attribute is absent, null if the text is not a valid value. */
export function inputFrom(name: LookupInput, text: string): InputValue | undefined | null {
  const { type } = lookupInputs[name]
  if (type === 'boolean') return true
  if (text === '') return undefined
  if (type === 'string') return text
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Attributes as in markup: names with hyphens, a switch that is on as the empty text. */
export function attributesOf(inputs: Inputs): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const name of inputNames) {
    const value = inputs[name]
    if (value === undefined || value === false) continue
    attributes[attributeOf(name)] = value === true ? '' : String(value)
  }
  return attributes
}

/** Null if the URL does not describe the field. */
export function fieldFrom(query: Record<string, unknown>): ShownField | null {
  const inputs: Inputs = {}
  for (const name of inputNames) {
    const text = query[attributeOf(name)]
    if (text === undefined || Array.isArray(text)) continue
    const value = inputFrom(name, String(text ?? ''))
    if (value !== undefined && value !== null) inputs[name] = value
  }
  const { source, dir } = query
  if (Object.keys(inputs).length === 0 && typeof source !== 'string') return null
  return {
    inputs,
    source: typeof source === 'string' ? source : '',
    dir: dir === 'rtl' ? 'rtl' : 'ltr',
  }
}

export function queryOf({ inputs, source, dir }: ShownField): Record<string, string> {
  return { ...attributesOf(inputs), source, ...(dir === 'rtl' ? { dir } : {}) }
}
