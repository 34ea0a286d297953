// Adds a record exactly once, even if a response is lost and the user adds it again.
import { insertRecord, type InApp, type RecordJson, type RecordValues } from '../../api/records.ts'
import { ApiError } from '../../api/request.ts'

/** A save of a new record whose outcome is not known yet. */
export interface UnsureInsert {
  /** The idempotency key. */
  once: string
  values: RecordValues
}

export interface InsertOnce {
  object: string
  values: RecordValues
  app: InApp
  /** Whether the object is virtual: its source is sent the record once, and cannot recognise it again. */
  isRemote: boolean
  /** An earlier save of the same record whose response was lost. */
  unsure: UnsureInsert | null
  /** Keeps the save until its outcome is known; null once it is. */
  keep(unsure: UnsureInsert | null): void
}

export interface Inserted {
  record: RecordJson
  /** The values with which it was added: those of the earlier save if that one had succeeded. */
  values: RecordValues
}

/** @throws ApiError */
export async function insertOnce({
  object,
  values,
  app,
  isRemote,
  unsure,
  keep,
}: InsertOnce): Promise<Inserted> {
  if (isRemote) return { record: await insertRecord(object, values, { app }), values }
  const first = unsure ?? { once: crypto.randomUUID(), values }
  const send = (body: RecordValues): Promise<RecordJson> =>
    insertRecord(object, body, { app, once: first.once })
  // Before it is sent, because the page can be loaded again before the response arrives.
  keep(first)
  const record = await send(values).catch((error: unknown) => {
    const { status, code } = error instanceof ApiError ? error : { status: 0, code: '' }
    // It was added after all by the save whose response was lost, before the values changed.
    if (code === 'conflict.idempotency_key' && unsure !== null) return null
    if (unsure === null && status >= 400 && status < 500) keep(null)
    throw error
  })
  const added = record === null ? first.values : values
  const found = record ?? (await send(first.values))
  keep(null)
  return { record: found, values: added }
}
