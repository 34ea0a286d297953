// What differs between two generations, renames as the audit remembers them (completions 4).
import { diffValues, type Change } from '#kernel/change/index.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Visibility } from '../../access/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { generationChanges } from '../../pipeline/index.ts'
import type { Asking } from '../caller.ts'
import { pastChangeViews, type ChangeView } from './change-view.ts'

/** Changes that one answer shows; `total` says how many there are. */
export const mostChanges = 1000

export interface PastChanges {
  changes: ChangeView[]
  total: number
}

/** The changes between two generations, as far as somebody may see them. @throws AlmanacError `generation.not_found`. */
export function pastChanges(
  reader: OrgReader,
  from: number,
  to: number,
  { access, visibility }: Pick<Asking, 'access' | 'visibility'>,
): PastChanges {
  const ids = reader.changedBetween(from, to).filter((id) => idShown(id, visibility))
  const changes = generationChanges(reader, from, to, ids.slice(0, mostChanges))
  const told = from === to - 1 ? withRenames(reader, to, changes) : changes
  const views = pastChangeViews(told, reader.view(to), access, visibility)
  return { changes: views, total: ids.length - (changes.length - views.length) }
}

/** Whether a component may be told of, judged by its id: an entry's key begins with that of its set. */
function idShown(id: ComponentId, visibility: Visibility): boolean {
  const { type, key } = splitId(id)
  if (type === 'config_entry') return visibility.values(key.slice(0, key.indexOf('.')))
  return type === 'config_set' || type === 'feature_flag' ? visibility.definition(key) : true
}

/** What was taken away under one key and came under another, told as one change. */
function withRenames(reader: OrgReader, generation: number, changes: Change[]): Change[] {
  if ((reader.generation(generation)?.counts.renamed ?? 0) === 0) return changes
  const renamed = new Map<ComponentId, ComponentId>()
  for (const { component, before } of reader.audit({ generation, kind: 'renamed', limit: 100_000 })) {
    const old = before as { type?: string; key?: string } | null
    if (old?.key !== undefined) renamed.set(component as ComponentId, `${old.type}/${old.key}` as ComponentId)
  }
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
