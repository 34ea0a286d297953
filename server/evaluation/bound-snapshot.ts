// The generation in which a binding holds. Its number has a meaning only in the org that created it; elsewhere the
// digests decide, because content moves between environments and keeps them (docs/reference/bindings-and-evidence.md).
import { differencesOf, type Binding, type EvaluationSnapshot } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EvaluationDeps } from './deps.ts'

/** Number of generations that are searched for a binding of another org. */
const maxSearchedGenerations = 1000

/**
 * The snapshot of the binding's generation, or the newest one with the same content, or the active one, whose content
 * differs.
 */
export function boundSnapshot(deps: EvaluationDeps, binding: Binding): EvaluationSnapshot {
  const named = snapshotAt(deps, binding.generation)
  if (named !== null && differencesOf(binding, named).length === 0) return named
  const same = deps.store.read((reader) => newestWithContent(reader, binding))
  return (same === null ? null : snapshotAt(deps, same)) ?? deps.snapshots.active()
}

/**
 * The generation of this org that contains what was bound: the one that the binding names, or the newest; null if none
 * does.
 */
export function generationWithContent(
  reader: Pick<OrgReader, 'components' | 'generations' | 'sets'>,
  binding: Binding,
): number | null {
  const { generation } = binding
  if (reader.generations.get(generation) !== undefined && hasContent(reader, generation, binding))
    return generation
  return newestWithContent(reader, binding)
}

function newestWithContent(
  reader: Pick<OrgReader, 'components' | 'generations' | 'sets'>,
  binding: Binding,
): number | null {
  const same = reader.generations
    .list({ limit: maxSearchedGenerations })
    .find(({ generation }) => hasContent(reader, generation, binding))
  return same?.generation ?? null
}

function snapshotAt(deps: EvaluationDeps, generation: number): EvaluationSnapshot | null {
  try {
    return deps.snapshots.at(generation)
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return null
    throw error
  }
}

function hasContent(
  reader: Pick<OrgReader, 'components' | 'sets'>,
  generation: number,
  { config, functions }: Binding,
): boolean {
  return (
    Object.entries(config).every(
      ([set, digest]) => reader.sets.summary(generation, set)?.digest === digest,
    ) &&
    Object.entries(functions).every(
      ([key, digest]) => reader.components.digest(generation, `calc_function/${key}`) === digest,
    )
  )
}
