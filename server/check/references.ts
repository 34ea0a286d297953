// Checks that references of the active generation lead to existing components.
import { splitId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { integrityFinding } from './finding.ts'

export function referenceFaults(reader: Pick<OrgReader, 'components' | 'generations'>): Finding[] {
  const generation = reader.generations.active()
  const view = reader.generations.view(generation)
  return [...reader.components.references(generation)].flatMap(([from, edges]) =>
    edges
      .filter(({ to }) => !view.has(splitId(to).type, splitId(to).key))
      .map(({ path, to }) =>
        integrityFinding('integrity.reference', from, `${path} refers to ${to}, which does not exist.`),
      ),
  )
}
