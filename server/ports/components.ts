// Components in storage: digests, versions and references of any generation. A generation writes them.
import type { Digest } from '#kernel/change/digest.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Reference } from '#kernel/components/define.ts'
import type { GraphReference } from '#kernel/graph/index.ts'
import type { VersionRow } from '#wire/index.ts'

export interface ComponentReader {
  digest(generation: number, id: ComponentId): Digest | undefined
  digests(generation: number): ReadonlyMap<ComponentId, Digest>
  /** Contains only ids that exist. */
  digestsOf(generation: number, ids: readonly ComponentId[]): Map<ComponentId, Digest>
  /** The next digests after an id, ordered by type name and key; from the first if `after` is null. */
  digestPage(
    generation: number,
    after: ComponentId | null,
    limit: number,
  ): [id: ComponentId, digest: Digest][]
  /** Components that differ between two generations, by id. */
  changedBetween(from: number, to: number): ComponentId[]
  versions(id: ComponentId): VersionRow[]
  /** The version row that applied the component's version active at `generation`. */
  versionAt(generation: number, id: ComponentId): VersionRow | undefined
  /** Edges to `id` at a generation; those from a set's entries only with `entries`. */
  referrers(
    generation: number,
    id: ComponentId,
    options?: { entries?: boolean },
  ): (Reference & { from: ComponentId })[]
  /** All edges of a generation, as in its reference graph. */
  references(generation: number): Map<ComponentId, GraphReference[]>
}
