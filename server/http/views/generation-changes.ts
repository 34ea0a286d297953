// What differs between two generations, renames as the audit remembers them (completions 4).
import { diffValues, type Change } from '#kernel/change/index.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { generationChanges } from '../../pipeline/index.ts'

export interface PastChanges {
  changes: Change[]
  /** The later generation. */
  view: ComponentView
}

/** @throws AlmanacError `generation.not_found`. */
export function pastChanges(reader: OrgReader, from: number, to: number): PastChanges {
  const changes = generationChanges(reader, from, to)
  return { changes: from === to - 1 ? withRenames(reader, to, changes) : changes, view: reader.view(to) }
}

/** What was taken away under one key and came under another, told as one change. */
function withRenames(reader: OrgReader, generation: number, changes: Change[]): Change[] {
  const renamed = new Map<ComponentId, ComponentId>()
  for (const { component, before } of reader.audit({ generation, kind: 'renamed', limit: 100_000 })) {
    const old = before as { type?: string; key?: string } | null
    if (old?.key !== undefined) renamed.set(component as ComponentId, `${old.type}/${old.key}` as ComponentId)
  }
  if (renamed.size === 0) return changes
  const byId = new Map(changes.map((change) => [change.id, change]))
  const gone = new Set(renamed.values())
  return changes
    .filter(({ id, kind }) => kind !== 'removed' || !gone.has(id))
    .map((change) => {
      const from = renamed.get(change.id)
      const old = from === undefined ? undefined : byId.get(from)
      if (from === undefined || change.kind !== 'added' || old?.kind !== 'removed') return change
      const values = diffValues(old.before, change.after, roomOf(splitId(change.id).type).itemKeys)
      return { ...change, kind: 'renamed', from, before: old.before, values }
    })
}
