// What replay and recompute start from: a result that the org holds, or a file as evaluate --json writes it.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { GivenResult } from '../evaluation/index.ts'
import { readText } from '../files/index.ts'
import { UsageError } from './fail.ts'
import { jsonOf, text } from './options.ts'
import type { Call } from './verb.ts'

const brought = z.object({
  expression: z.string(),
  inputs: z.unknown(),
  value: z.string(),
  binding: z.unknown(),
})

/** @throws UsageError, AlmanacError binding.invalid */
export function givenResult(call: Call): GivenResult {
  const [file] = call.args
  const resultId = text(call, 'result')
  if ((file === undefined) === (resultId === undefined))
    throw new UsageError('Give a file with the result, or --result <id>.')
  if (resultId !== undefined) return { resultId }
  const parsed = brought.safeParse(jsonOf(readText(file!), file!))
  if (parsed.success) return parsed.data
  throw new AlmanacError(
    'binding.invalid',
    `${file} is no result: it holds { expression, inputs, value, binding }, as "almanac evaluate --json" writes it.`,
  )
}
