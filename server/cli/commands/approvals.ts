// almanac approvals: shows how many approvals the org requires before an apply; with a number, sets it.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [argument] = call.args
  const { requests } = await call.org()
  const waiting = argument === undefined ? null : await requests.setRequiredApprovals(Number(argument))
  const required = await requests.requiredApprovals()
  await terminal.data({ required, ...(waiting === null ? {} : { request: waiting }) })
  terminal.print(
    required === 0
      ? 'The org requires no approvals.'
      : `The org requires ${required === 1 ? 'one approval' : `${required} approvals`} before an apply.`,
  )
  if (waiting !== null)
    terminal.print(
      `Lowering the number requires the approvals currently in force. Change request ${waiting.id} is waiting for them: almanac approve ${waiting.id} --digest ${waiting.digest}`,
    )
}
