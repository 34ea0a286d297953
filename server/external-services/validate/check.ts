// What the parts of a check share.
import type { ValueIssue } from '#kernel/service-values/index.ts'
import type { JsonValue } from '../json.ts'
import type { Schema } from './prepared-schema.ts'

/** What in-place schemas have evaluated of one object or list, for "unevaluatedProperties" and "unevaluatedItems". */
export interface Evaluated {
  names: Set<string>
  items: Set<number>
}

/** One check of one value. */
export interface Check {
  /** Returns the first issue; null if the value is valid. */
  run: (schema: Schema, value: JsonValue, evaluated: Evaluated | null) => ValueIssue | null
  /** @throws BudgetError */
  spend: (steps: number) => void
  /** The place of the current value. */
  path: (string | number)[]
  issue: (reason: string) => ValueIssue
  /** The current value as it is written, if it is a number. */
  numeral: () => string
}
