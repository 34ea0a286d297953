// Body of a calc function: a pure, typed expression with a name.
import { z } from 'zod'
import { expression, param, paramType } from '../shapes.ts'

export const calcFunctionBody = z.strictObject({
  params: z.array(param).default([]),
  returns: paramType,
  expression,
})

export type CalcFunctionBody = z.output<typeof calcFunctionBody>
