// The log of the HTTP edge: pino, or nothing in tests.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'

export interface Log {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const silentLog: Log = { info: () => {}, error: () => {} }

/** Logs why work in the background failed that is repeated: a full or busy disk by its code, other errors with their stack. */
export function logFailure(log: Log, work: string, error: unknown): void {
  if (!isStorageFailure(error)) return log.error({ err: error }, `${work} failed unexpectedly`)
  const { code, message } = error as AlmanacError
  log.error({ code, detail: message }, `${work} could not be stored, and will be tried again`)
}
