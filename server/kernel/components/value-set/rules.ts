// Rules for value sets (completions 1).
import type { Rule } from '../define.ts'
import { duplicateItems } from '../duplicates.ts'

const valueKeys: Rule<'value_set'> = (set) => duplicateItems(set, ['body', 'values'], set.body.values, 'key')

export const valueSetRules: readonly Rule<'value_set'>[] = [valueKeys]
