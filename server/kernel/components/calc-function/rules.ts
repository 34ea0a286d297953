// What a calc function must keep beside a compiling expression, which validation checks (completions 1).
import type { Rule } from '../define.ts'
import { takenByTheLanguage } from '../language-names.ts'
import { paramFindings } from '../params.ts'
import { fault } from '../report.ts'

const params: Rule<'calc_function'> = (calc) => paramFindings(calc, calc.body.params)

const callable: Rule<'calc_function'> = (calc) => {
  if (!takenByTheLanguage.has(calc.key)) return []
  const message =
    `"${calc.key}" has a meaning of its own in expressions, so a calc function of that key would not be called. ` +
    `Choose another key, such as "${calc.key}_of".`
  return [fault(calc, '/key', 'calc.key_taken', message)]
}

export const calcFunctionRules: readonly Rule<'calc_function'>[] = [callable, params]
