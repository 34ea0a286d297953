// Findings as threads hand them on: in memory that all of them share, so that a thread that only passes thousands of
// findings on reads none.
import { deserialize, serialize } from 'node:v8'
import type { Finding } from '#kernel/errors/finding.ts'

/** Findings in V8's serialization. */
export type SharedFindings = Uint8Array<SharedArrayBuffer>

export function shareFindings(findings: Finding[]): SharedFindings {
  const bytes = serialize(findings)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}

export function readFindings(shared: SharedFindings): Finding[] {
  // V8 does not read from shared memory.
  return deserialize(Buffer.from(shared)) as Finding[]
}
