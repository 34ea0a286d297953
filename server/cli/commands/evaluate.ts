// almanac evaluate: evaluates an expression with declared inputs, and prints the binding, with which the value can be
// verified later.
import { inputOptions, scopeOption, textOption, integerOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [asOf, scope, generation, store] = [
    textOption(call, 'asOf'),
    scopeOption(call),
    integerOption(call, 'generation'),
    textOption(call, 'store'),
  ]
  const answer = await (
    await call.org()
  ).evaluate({
    expression: call.args[0]!,
    inputs: inputOptions(call),
    ...(asOf === undefined ? {} : { asOf }),
    ...(scope === undefined ? {} : { scope }),
    ...(generation === undefined ? {} : { generation }),
    ...(store === undefined ? {} : { store }),
  })
  // Everything that replay needs.
  await terminal.data({ expression: call.args[0], inputs: inputOptions(call), ...answer })
  terminal.print(plainValue(answer.value))
  if (answer.resultId !== undefined) terminal.note(`Stored as ${answer.resultId}.`)
}

/** Formats a text without quotes, other values as canonical JSON. */
export function plainValue(value: string): string {
  const parsed: unknown = JSON.parse(value)
  return typeof parsed === 'string' ? parsed : value
}
