// Rules for calc functions; validation checks that the expression compiles.
import type { Rule } from '../define.ts'
import { reservedFunctionNames } from '../reserved-names.ts'
import { paramFindings } from '../params.ts'
import { errorFinding } from '../report.ts'

const params: Rule<'calc_function'> = (calc) => paramFindings(calc, calc.body.params)

const callable: Rule<'calc_function'> = (calc) => {
  if (!reservedFunctionNames.has(calc.key)) return []
  const message =
    `"${calc.key}" is reserved in expressions, so a calc function with this key could not be called. ` +
    `Choose a different key, such as "${calc.key}_of".`
  return [errorFinding(calc, '/key', 'calc.key_taken', message)]
}

export const calcFunctionRules: readonly Rule<'calc_function'>[] = [callable, params]
