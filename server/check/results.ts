// Checks that the bindings of stored results can be honoured: the generation exists, and its sets have the bound
// digests there.
import { parseBinding } from '#kernel/config/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { StoredResult } from '../ports/results.ts'
import { integrityFinding } from './finding.ts'

const page = 200

export function resultFaults(reader: Pick<OrgReader, 'generations' | 'results' | 'sets'>): Finding[] {
  const faults: Finding[] = []
  for (let before: string | undefined; ;) {
    const results = reader.results.list({ before, limit: page })
    for (const result of results) {
      const reason = reasonAgainst(reader, result)
      if (reason !== null) faults.push(integrityFinding('integrity.result', `result/${result.id}`, reason))
    }
    if (results.length < page) return faults
    before = results.at(-1)!.id
  }
}

/** Null if its binding can be honoured. */
function reasonAgainst(
  reader: Pick<OrgReader, 'generations' | 'sets'>,
  { binding, state }: StoredResult,
): string | null {
  try {
    const { generation, config } = parseBinding(binding)
    if (state === 'archived') return null
    if (generation > 0 && reader.generations.get(generation) === undefined)
      return `It is bound to generation ${generation}, which does not exist.`
    const differs = Object.entries(config).find(
      ([set, digest]) => reader.sets.summary(generation, set)?.digest !== digest,
    )
    return differs === undefined
      ? null
      : `It is bound to a digest that ${differs[0]} does not have at generation ${generation}.`
  } catch (error) {
    return (error as Error).message
  }
}
