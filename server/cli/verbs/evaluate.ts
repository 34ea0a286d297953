// almanac evaluate: evaluates an expression with declared inputs, and prints the binding that proves the value later
// (completions 3).
import { inputs, scopePath, text, whole } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [asOf, scope, generation, store] = [
    text(call, 'asOf'),
    scopePath(call),
    whole(call, 'generation'),
    text(call, 'store'),
  ]
  const answer = await (
    await call.org()
  ).evaluate({
    expression: call.args[0]!,
    inputs: inputs(call),
    ...(asOf === undefined ? {} : { asOf }),
    ...(scope === undefined ? {} : { scope }),
    ...(generation === undefined ? {} : { generation }),
    ...(store === undefined ? {} : { store }),
  })
  // Everything that replay needs.
  await terminal.data({ expression: call.args[0], inputs: inputs(call), ...answer })
  terminal.print(bare(answer.value))
  if (answer.resultId !== undefined) terminal.note(`Stored as ${answer.resultId}.`)
}

/** Formats a text without quotes, other values as canonical JSON. */
export function bare(value: string): string {
  const parsed: unknown = JSON.parse(value)
  return typeof parsed === 'string' ? parsed : value
}
