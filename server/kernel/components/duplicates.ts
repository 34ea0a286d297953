// Finds items of a list that share a key. Diffs, expressions and renames identify items by their keys.
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { pointer } from './pointer.ts'
import { errorFinding } from './report.ts'

/** Returns one finding for each item whose `property` an earlier item already has. `steps` lead to the list. */
export function duplicateItemFindings<P extends string>(
  component: { type: ComponentType; key: string },
  steps: readonly (string | number)[],
  items: readonly Record<P, string>[],
  property: P,
): Finding[] {
  const first = new Map<string, number>()
  const findings: Finding[] = []
  items.forEach((item, index) => {
    const name = item[property]
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, index)
      return
    }
    const place = pointer(...steps, index, property)
    const message = `"${name}" occurs twice in ${steps.at(-1)} (items ${earlier + 1} and ${index + 1}). Rename or remove one.`
    findings.push(errorFinding(component, place, 'key.duplicate_item', message))
  })
  return findings
}
