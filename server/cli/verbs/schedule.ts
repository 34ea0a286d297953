// almanac schedule: the date on which a change request applies itself, or none (completions 4).
import { sayRequest } from '../say-request.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const [id, date] = call.args
  await sayRequest(call, await (await call.org()).requests.schedule(id!, date === 'none' ? null : date!))
}
