// The input of replay and recompute: a stored result, or a file that evaluate --json wrote.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ResultSource } from '../evaluation/index.ts'
import { readText } from '../files/index.ts'
import { UsageError } from './fail.ts'
import { parseJsonText, textOption } from './options.ts'
import type { Call } from './command-definition.ts'

const resultFile = z.object({
  expression: z.string(),
  inputs: z.unknown(),
  value: z.string(),
  binding: z.unknown(),
})

/** @throws UsageError, AlmanacError binding.invalid */
export function resultFromArgs(call: Call): ResultSource {
  const [file] = call.args
  const resultId = textOption(call, 'result')
  if ((file === undefined) === (resultId === undefined))
    throw new UsageError('Pass a file with the result, or --result <id>.')
  if (resultId !== undefined) return { resultId }
  const parsed = resultFile.safeParse(parseJsonText(readText(file!), file!))
  if (parsed.success) return parsed.data
  throw new AlmanacError(
    'binding.invalid',
    `${file} is not a result. A result contains { expression, inputs, value, binding }, as written by "almanac evaluate --json".`,
  )
}
