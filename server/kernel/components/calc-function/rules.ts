// What a calc function must keep beside a compiling expression, which validation checks (completions 1).
import type { Rule } from '../define.ts'
import { paramFindings } from '../params.ts'

const params: Rule<'calc_function'> = (calc) => paramFindings(calc, calc.body.params)

export const calcFunctionRules: readonly Rule<'calc_function'>[] = [params]
