// Rules for value sets.
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'

const valueKeys: Rule<'value_set'> = (set) =>
  duplicateItemFindings(set, ['body', 'values'], set.body.values, 'key')

export const valueSetRules: readonly Rule<'value_set'>[] = [valueKeys]
