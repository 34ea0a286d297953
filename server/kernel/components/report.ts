// Builds the findings of rules: component, place, code, message.
import type { Finding } from '../errors/finding.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import { idOf, type ComponentType } from './component.ts'

type Place = { type: ComponentType; key: string }
type More = Partial<Pick<Finding, 'related' | 'facts' | 'repairs'>>

/** Returns a finding that stops an apply. `path` is a JSON pointer into the envelope. */
export function errorFinding(
  place: Place,
  path: string,
  code: FindingCode,
  message: string,
  more: More = {},
): Finding {
  return { severity: 'error', code, component: idOf(place), path, message, related: [], ...more }
}

/** Returns a finding that does not stop an apply. */
export function warningFinding(
  place: Place,
  path: string,
  code: FindingCode,
  message: string,
  more: More = {},
): Finding {
  return { ...errorFinding(place, path, code, message, more), severity: 'warning' }
}

/** Returns `a, b or c`, for "use one of". */
export function joinWithOr(names: Iterable<string>): string {
  const list = [...names]
  if (list.length <= 1) return list.join('')
  return `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`
}
