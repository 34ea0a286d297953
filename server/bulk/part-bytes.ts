// The bytes of all parts of a job, one after the other.
import type { IngestPart, PartStore } from '../ports/ingest.ts'

/** @param from the first byte, counted over all parts */
export async function* partBytes(
  store: PartStore,
  parts: readonly Pick<IngestPart, 'job' | 'name' | 'bytes'>[],
  from: number,
): AsyncIterable<Uint8Array> {
  let left = from
  for (const { job, name, bytes } of parts) {
    if (left < bytes) yield* store.read(job, name, left)
    left = Math.max(0, left - bytes)
  }
}
