// almanac approvals: how many the org asks for before anything applies; with a number, from now on (completions 4).
import { wholeOf } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [given] = call.args
  const { requests } = await call.org()
  const waiting =
    given === undefined ? null : await requests.require(wholeOf(given, 'The number of approvals'))
  const required = await requests.required()
  await terminal.data({ required, ...(waiting === null ? {} : { request: waiting }) })
  terminal.print(
    required === 0
      ? 'The org asks for no approvals.'
      : `The org asks for ${required === 1 ? 'one approval' : `${required} approvals`} before anything applies.`,
  )
  if (waiting !== null)
    terminal.print(
      `Fewer approvals need the approvals in force. Change request ${waiting.id} waits for them: almanac approve ${waiting.id} --digest ${waiting.digest}`,
    )
}
