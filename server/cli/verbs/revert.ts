// almanac revert: what one generation changed, undone; a conflict shows three versions and changes nothing (completions 4).
import { wholeOf } from '../options.ts'
import { restore, revertList } from '../restore.ts'
import type { Run } from '../verb.ts'

export const run: Run = (call) => restore(call, revertList(call, wholeOf(call.args[0]!, 'The generation')))
