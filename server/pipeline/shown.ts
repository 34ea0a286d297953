// Which rows of an org a viewer is shown, decided by id: one rule for local and HTTP access (specification 5.5).
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ActorSight } from '../access/index.ts'
import type { AuditBrief, AuditRow, OrgReader } from '../ports/org-store.ts'

/** The sight of the same user over the content of a generation, under the names of that time; null for everything. */
export function sightAt(reader: OrgReader, sight: ActorSight | null, generation: number): ActorSight | null {
  return sight === null ? null : sight.at(reader, generation)
}

/** A generation as its sight shows it; all of it if `sight` is null. */
export function shownView(view: ComponentView, sight: ActorSight | null): ComponentView {
  return sight === null ? view : sight.narrowed(view)
}

/** Whether a component may be shown: an entry with the values of its set, a set or flag with its definition. */
export function idShown(id: ComponentId, sight: ActorSight | null): boolean {
  if (sight === null) return true
  const { type, key } = splitId(id)
  if (type === 'config_entry') return sight.visibility.values(key.split('.')[0]!)
  return type === 'config_set' || type === 'feature_flag' ? sight.visibility.definition(key) : true
}

/** Whether a component belongs to an existing set or flag that is not shown. A missing set or flag hides nothing. */
export function idHidden(id: ComponentId, sight: ActorSight | null): boolean {
  if (sight === null || idShown(id, sight)) return false
  return sight.has(splitId(id).key.split('.')[0]!)
}

/** An auditor sees that something changed; the old and new content of a set that hides itself is omitted. */
export function shownAuditRow(reader: OrgReader, row: AuditRow, sight: ActorSight | null): AuditRow {
  if (sight === null || auditShown(reader, row, sight)) return row
  return { ...row, before: null, after: null }
}

function auditShown(reader: OrgReader, row: AuditRow, sight: ActorSight): boolean {
  const { component, before, after } = row
  if (component.startsWith('result/'))
    return [before, after].every((result) => {
      const { generation, sets } = bindingOf(result)
      const { values } = sight.at(reader, generation ?? reader.activeGeneration()).visibility
      return sets.every(values)
    })
  const { key = null } = (before ?? {}) as { key?: string }
  return isAuditShown(reader, { ...row, formerKey: key }, sight)
}

/** Identifies the content of an audit row. */
type AuditPlace = Pick<AuditBrief, 'component' | 'kind' | 'generation' | 'formerKey'>

/** Whether the content behind an audit row is shown; for a stored result, its row decides. */
export function isAuditShown(
  reader: OrgReader,
  { component, kind, generation, formerKey }: AuditPlace,
  sight: ActorSight | null,
): boolean {
  const slash = component.indexOf('/')
  const type = component.slice(0, slash)
  if (sight === null || slash < 1 || !isComponentType(type)) return true
  const id = component as ComponentId
  if (generation === null) return idShown(id, sight)
  const wasShown = (was: ComponentId): boolean => idShown(was, sight.at(reader, generation - 1))
  if (kind === 'removed') return wasShown(id)
  if (kind === 'renamed' && formerKey !== null && !wasShown(`${type}/${formerKey}`)) return false
  return idShown(id, sight.at(reader, generation))
}

/** The sets that a stored result read, and the generation to which their keys belong. */
function bindingOf(result: JsonValue): { generation: number | undefined; sets: string[] } {
  const { binding } = (result ?? {}) as { binding?: { config?: object; generation?: number } }
  return { generation: binding?.generation, sets: Object.keys(binding?.config ?? {}) }
}
