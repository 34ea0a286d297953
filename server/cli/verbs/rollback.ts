// almanac rollback: an ordinary apply of what an older generation held (completions 4).
import { sayApplied } from '../applied-text.ts'
import { flag, text, wholeOf } from '../options.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const generation = wholeOf(call.args[0]!, 'The generation')
  await sayApplied(
    await (await call.org()).rollback(generation, text(call, 'rationale')),
    call.terminal,
    flag(call, 'all'),
  )
}
