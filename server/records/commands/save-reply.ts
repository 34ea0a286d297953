// The reply of a request to save records, as plain data.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RecordJson } from '#wire/records.ts'

export interface PlainError {
  code: ErrorCode
  message: string
  details: readonly unknown[]
}

export type ItemReply =
  | {
      ok: true
      op: 'insert' | 'update' | 'recompute' | 'delete'
      id: string
      /** Null if the record was deleted. */
      version: number | null
      /** Null if it was deleted, or if the caller cannot see it; omitted for ids. */
      record?: RecordJson | null
    }
  | { ok: false; error: PlainError }

export interface SaveReply {
  results: ItemReply[]
}
