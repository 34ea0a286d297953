// almanac rollback: applies the content of an older generation.
import { restore, rollbackList } from '../restore.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = (call) => restore(call, rollbackList(call, Number(call.args[0])))
