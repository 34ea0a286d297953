// Declared inputs of an expression, as rows of a form and in the shape of the request.
import type { Inputs, ParamType } from '../../api/evaluate.ts'

export interface InputRow {
  name: string
  type: ParamType
  value: string | boolean | undefined
}

export const paramTypes: readonly ParamType[] = ['number', 'text', 'boolean', 'date', 'datetime']

/** Types by name, of the rows that have a name. */
export function typesOf(rows: readonly InputRow[]): Record<string, ParamType> {
  return Object.fromEntries(namedRows(rows).map(({ name, type }) => [name, type]))
}

/** The inputs in the shape of the server; an empty one is absent, which is null. */
export function inputsOf(rows: readonly InputRow[]): Inputs {
  return Object.fromEntries(
    namedRows(rows).map(({ name, type, value }) => [name, { type, value: value ?? null }]),
  )
}

function namedRows(rows: readonly InputRow[]): InputRow[] {
  return rows.map((row) => ({ ...row, name: row.name.trim() })).filter(({ name }) => name !== '')
}
