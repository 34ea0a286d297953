// The trace of a correlation id: the same in every process, so that a collector shows what belongs together.
import { hash } from 'node:crypto'

const hexadecimal = /^[0-9a-f]{32}$/
const none = '0'.repeat(32)

/** 32 hexadecimal digits: those of the id, if it is a UUID or a trace id, and otherwise of its digest. */
export function traceIdOf(correlationId: string): string {
  const digits = correlationId.toLowerCase().replaceAll('-', '')
  if (hexadecimal.test(digits) && digits !== none) return digits
  return hash('sha256', `almanac trace ${correlationId}`, 'hex').slice(0, 32)
}
