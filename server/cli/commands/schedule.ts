// almanac schedule: sets or removes the date on which a change request is applied automatically.
import { printRequest } from '../print-request.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const [id, date] = call.args
  await printRequest(call, await (await call.org()).requests.schedule(id!, date === 'none' ? null : date!))
}
