// almanac rollback: applies the content of an older generation.
import { restore } from '../restore.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = (call) => restore(call, { kind: 'generation', generation: Number(call.args[0]) })
