// almanac approvals: how many the org asks for before anything applies; with a number, from now on (completions 4).
import { wholeOf } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [given] = call.args
  const { requests } = await call.org()
  if (given !== undefined) await requests.require(wholeOf(given, 'The number of approvals'))
  const required = await requests.required()
  await terminal.data({ required })
  terminal.print(
    required === 0
      ? 'The org asks for no approvals.'
      : `The org asks for ${required === 1 ? 'one approval' : `${required} approvals`} before anything applies.`,
  )
}
