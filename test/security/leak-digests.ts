// Digests of hidden content, in every generation: a small value could be guessed from one.
import type { Component } from '../../server/kernel/components/body-types.ts'
import { splitId, type ComponentId } from '../../server/kernel/components/component.ts'
import type { OrgReader } from '../../server/ports/org-store.ts'

export interface HiddenDigests {
  definition: string[]
  values: string[]
  /** Digests of the changes of generations that changed something hidden. */
  changes: string[]
}

const marker = /q[a-z]+_marker/

export function hiddenDigests(reader: OrgReader, sets: readonly string[]): HiddenDigests {
  const [definition, values, changes] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const active = reader.generations.active()
  for (let at = 1; at <= active; at += 1) {
    for (const [id, digest] of reader.components.digests(at))
      if (isHidden(reader, at, id)) (id.startsWith('config_entry/') ? values : definition).add(bare(digest))
    const row = reader.generations.get(at)
    const changed = at === 1 ? [] : reader.components.changedBetween(at - 1, at)
    const isPart = changed.some((id) => isHidden(reader, at - 1, id) || isHidden(reader, at, id))
    if (row !== undefined && isPart) changes.add(bare(row.changeDigest))
  }
  for (const set of sets) {
    const facts = reader.sets.summary(active, set)
    if (facts !== undefined) values.add(bare(facts.digest))
  }
  return { definition: [...definition], values: [...values], changes: [...changes] }
}

function isHidden(reader: OrgReader, generation: number, id: ComponentId): boolean {
  const { type, key } = splitId(id)
  if (type !== 'config_entry' && type !== 'config_set' && type !== 'feature_flag') return false
  const component = reader.generations.view(generation).get(type, key) as Component | undefined
  return component !== undefined && marker.test(JSON.stringify(component))
}

/** The hash alone, to find every notation of a digest. */
export function bare(digest: string): string {
  return digest.slice(digest.lastIndexOf(':') + 1)
}
