// almanac rollback: applies the content of an older generation.
import { parseInteger } from '../options.ts'
import { restore } from '../restore.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = (call) =>
  restore(call, { kind: 'generation', generation: parseInteger(call.args[0]!, 'The generation') })
