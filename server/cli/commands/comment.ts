// almanac comment: comments on a change request.
import { UsageError } from '../fail.ts'
import { printRequest } from '../print-request.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [id, text = ''] = call.args
  if (text.trim() === '') throw new UsageError('The comment is empty. Pass its text as an argument.')
  await printRequest(call, await (await call.org()).requests.comment(id!, text.trim()))
}
