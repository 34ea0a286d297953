// Failures of the storage: nothing of the transaction was written, and all of it can be repeated.
import { AlmanacError } from './almanac-error.ts'

/** Whether the storage failed, or another process held its lock: the error of a transaction, not of a part of it. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof AlmanacError && (error.code === 'org.busy' || error.code.startsWith('storage.'))
