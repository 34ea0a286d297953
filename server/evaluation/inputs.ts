// Declared inputs in the form of a request and of a stored result: name → type and stored value
// (docs/reference/bindings-and-evidence.md).
import { z } from 'zod'
import type { EvaluationInput } from '#kernel/config/index.ts'
import { allIssueMessages } from '#kernel/components/schema-messages.ts'
import { paramType } from '#kernel/components/shapes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const inputValue = z.union([z.string(), z.boolean(), z.null()], {
  error: (issue) =>
    typeof issue.input === 'number'
      ? `${issue.input} is a JSON number. Write a number as text, "${issue.input}", a date as "2025-12-31", and a boolean as true or false.`
      : 'Use text (also for a number or a date), true, false or null.',
})

/** The shape of `inputs` in a request. */
export const inputsSchema = z.record(z.string(), z.strictObject({ type: paramType, value: inputValue }))

export type Inputs = z.output<typeof inputsSchema>

/** Ascending by name, so that equal requests are stored equally. @throws AlmanacError `request.invalid`. */
export function parseInputs(json: unknown): EvaluationInput[] {
  const parsed = inputsSchema.safeParse(json ?? {})
  if (!parsed.success) {
    const words = allIssueMessages(inputsSchema, json, parsed.error, 'inputs')
    throw new AlmanacError('request.invalid', words.join(' '), { details: words })
  }
  for (const [key, { value }] of Object.entries(parsed.data)) {
    requireWellFormedText(key, `The name of the input ${key.toWellFormed()}`)
    if (typeof value === 'string') requireWellFormedText(value, `The input ${key}`)
  }
  return Object.entries(parsed.data)
    .map(([key, { type, value }]) => ({ key, type, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Half of a surrogate pair has no canonical JSON, so it could not be stored or compared. */
export function requireWellFormedText(text: string, what: string): void {
  if (!text.isWellFormed())
    throw new AlmanacError(
      'request.invalid',
      `${what} contains half of a surrogate pair, which is not a valid character. Send complete characters.`,
    )
}

export function serializeInputs(inputs: readonly EvaluationInput[]): Inputs {
  return Object.fromEntries(inputs.map(({ key, type, value }) => [key, { type, value }]))
}
