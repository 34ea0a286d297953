// The conflicts in the error of a list whose base is no longer the active generation.
import { ApiError } from '../api/request.ts'
import type { Conflict } from '../api/wire.ts'

/** Empty for any other error. */
export function staleConflicts(error: unknown): Conflict[] {
  return error instanceof ApiError && error.code === 'conflict.stale_generation'
    ? (error.details as Conflict[])
    : []
}
