// Keys that would follow a dot in expressions but cannot be written there.
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { reservedMemberNames } from './reserved-names.ts'
import { errorFinding } from './report.ts'

/** Returns a finding if no expression can read `key` as `written`. */
export function unreadableKeyFindings(
  component: { type: ComponentType; key: string },
  path: string,
  key: string,
  written: string,
): Finding[] {
  if (!reservedMemberNames.has(key)) return []
  const message = `"${key}" is reserved in expressions, so they cannot read ${written}. Choose a different key, such as "${key}_value".`
  return [errorFinding(component, path, 'key.unreadable', message)]
}
