// almanac revert: undoes the changes of one generation; a conflict shows three versions and stops.
import { restore, revertList } from '../restore.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = (call) => restore(call, revertList(call, Number(call.args[0])))
