// Calls of operations, which are invocable automations.
import type { OperationResult } from '#wire/records.ts'
import { inApp, type InApp, type RecordValues } from './records.ts'
import { request } from './request.ts'

/** @param once a key: a call that was made with it is not made again, and returns the same */
export const callOperation = (
  operation: string,
  body: { params: RecordValues; asOf?: string },
  { app, once }: { app: InApp; once: string },
): Promise<OperationResult> =>
  request('POST', `/invoke/v3/${encodeURIComponent(operation)}`, {
    body,
    headers: { ...inApp(app), 'idempotency-key': once },
  })
