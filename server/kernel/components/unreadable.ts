// Keys that stand after a point in expressions and could not be written there.
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { unreadableAfterPoint } from './language-names.ts'
import { fault } from './report.ts'

/** A finding where no expression could read `key` as `written`. */
export function unreadable(
  component: { type: ComponentType; key: string },
  path: string,
  key: string,
  written: string,
): Finding[] {
  if (!unreadableAfterPoint.has(key)) return []
  const message = `"${key}" has a meaning of its own in expressions, so none could read ${written}. Choose another key, such as "${key}_value".`
  return [fault(component, path, 'key.unreadable', message)]
}
