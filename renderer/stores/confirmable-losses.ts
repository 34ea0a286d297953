// The changes of a restore that lose values of records, or fields that a client uses, and that its author can confirm.
import type { ComponentId, Finding } from '../api/wire.ts'
import type { IndexedChange } from './change-views.ts'

const codes: ReadonlySet<string> = new Set(['object.values_lost', 'deploy.field_in_use'])

/** In the order of the list, confirmed or not. A removed object cannot be confirmed. */
export function confirmableLosses(
  findings: readonly Pick<Finding, 'code' | 'component'>[],
  index: readonly IndexedChange[],
): ComponentId[] {
  const losing = new Set(findings.flatMap(({ code, component }) => (codes.has(code) ? [component] : [])))
  return index.flatMap(({ id, kind }) => (kind !== 'removed' && losing.has(id) ? [id] : []))
}
