// What became of a set, a flag or a calc function since a generation: a stored result outlives the names that it reads
// (specification 2.6, 2.7.9; completions 3).
import {
  isComponentType,
  splitId,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { OrgReader } from '../ports/org-store.ts'

export type Today =
  /** Under its key, or the one that it has now; `renamedAt` is the generation that last renamed it. */
  | { key: string; renamedAt: number | null }
  /** Removed in that generation; null where that is not known. */
  | { key: null; goneAt: number | null }

const setTypes = ['config_set', 'feature_flag'] as const

/** A set or flag of generation `since`, today. What that generation did not have is taken as it is. */
export function setToday(reader: OrgReader, key: string, since: number): Today {
  const type = setTypes.find((each) => versionAt(reader, `${each}/${key}`, since) !== undefined)
  if (type !== undefined) return componentToday(reader, type, key, since)
  const view = reader.view(reader.activeGeneration())
  return setTypes.some((each) => view.has(each, key)) ? { key, renamedAt: null } : { key: null, goneAt: null }
}

export function componentToday(reader: OrgReader, type: ComponentType, key: string, since: number): Today {
  let [now, at, renamedAt] = [key, since, null as number | null]
  for (;;) {
    const version = versionAt(reader, `${type}/${now}`, at)
    if (version === undefined || version.to === null) return { key: now, renamedAt }
    at = version.to
    const goesOn = versionAt(reader, `${type}/${now}`, at) !== undefined
    // Where nothing was renamed, a name that goes on is the same thing.
    if (goesOn && !anyRenamed(reader, at)) continue
    const renamed = renamedIn(reader, type, now, at)
    if (renamed === null && goesOn && !tookName(reader, `${type}/${now}`, at)) continue
    if (renamed === null) {
      // Added again, or rolled back to: then it is there by that name. What has it all along is something else.
      const back = [now, key].find((each) => cameBack(reader, `${type}/${each}`, at))
      return back === undefined
        ? { key: null, goneAt: goesOn ? at : (lastEnd(reader, `${type}/${now}`) ?? at) }
        : { key: back, renamedAt: back === key ? null : renamedAt }
    }
    now = renamed
    renamedAt = at
  }
}

function anyRenamed(reader: OrgReader, generation: number): boolean {
  return (reader.generation(generation)?.counts.renamed ?? 0) > 0
}

/** Whether a generation gave another component this name, as a rollback may. */
function tookName(reader: OrgReader, id: ComponentId, generation: number): boolean {
  return reader.audit({ component: id, generation, kind: 'renamed', limit: 1 }).length > 0
}

/** Whether a component that is active came to its name after `gone`, without being another that was renamed to it. */
function cameBack(reader: OrgReader, id: ComponentId, gone: number): boolean {
  const versions = reader.versions(id)
  let start = versions.find(({ to }) => to === null)?.from
  if (start === undefined) return false
  for (let earlier; (earlier = versions.find(({ to }) => to === start));) start = earlier.from
  return start >= gone && !tookName(reader, id, start)
}

/** When a component went for the last time. */
function lastEnd(reader: OrgReader, id: ComponentId): number | null {
  return reader
    .versions(id)
    .reduce<number | null>((last, { to }) => (to === null ? last : Math.max(last ?? 0, to)), null)
}

function versionAt(reader: OrgReader, id: ComponentId, generation: number) {
  return reader.versions(id).find(({ from, to }) => from <= generation && (to === null || generation < to))
}

/** The key that a component was given by the generation that took its old one away. */
function renamedIn(reader: OrgReader, type: ComponentType, key: string, generation: number): string | null {
  for (const id of reader.changedBetween(generation - 1, generation)) {
    if (!id.startsWith(`${type}/`) || reader.digestOf(generation, id) === undefined) continue
    const [row] = reader.audit({ component: id, generation, kind: 'renamed', limit: 1 })
    const before = row?.before as { type?: string; key?: string } | null | undefined
    if (before?.key === key && isComponentType(before.type ?? '')) return splitId(id).key
  }
  return null
}
